import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Client, createClient } from "../../../../../lib/mod.ts";

/** Token requests that were not answered yet. */
let asked: ServerResponse[] = [];
let base = "";
let lab: Client;
const server = http.createServer(({ url, headers }, response) => {
  if (url === "/token") asked.push(response);
  else response.end(headers.authorization);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  const [grant, tokenEndpoint] = ["client_credentials", `${base}/token`] as const;
  lab = createClient({ auth: { type: "oauth2", grant, tokenEndpoint, clientId: "me" } });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function send({ signal }: AbortController): Promise<unknown> {
  return lab.send(`GET ${base}/`, { signal }).then(
    ({ text }) => text,
    ({ code }) => code,
  );
}

async function tokenRequest(at = 0): Promise<ServerResponse> {
  return await vi.waitUntil(() => asked[at], 60_000);
}

const answer = (response: ServerResponse): void =>
  void response
    .setHeader("Content-Type", "application/json")
    .end('{"access_token":"granted-4711","token_type":"bearer"}');

test.each([
  ["first", 0],
  ["second", 1],
] as const)("a login goes on without the %s of the requests that share it", async (_name, left) => {
  const aborts = [new AbortController(), new AbortController()];
  const requests = aborts.map(send);
  const token = await tokenRequest();
  aborts[left]?.abort();
  // It does not wait for a login that it no longer wants.
  expect(await requests[left]).toBe("aborted");
  answer(token);
  expect(await requests[1 - left]).toBe("Bearer granted-4711");
  expect(asked).toHaveLength(1);
});

test("a login ends with the last request that waits for it, and the next one starts another", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const requests = [send(first), send(second)];
  const token = await tokenRequest();
  const closed = new Promise((resolve) => token.on("close", resolve));
  first.abort();
  second.abort();
  expect(await Promise.all(requests)).toEqual(["aborted", "aborted"]);
  await closed;
  const later = send(new AbortController());
  answer(await tokenRequest(1));
  expect(await later).toBe("Bearer granted-4711");
});
