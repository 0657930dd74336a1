import { once } from "node:events";
import { createConnection } from "node:net";
import { afterEach, expect, test } from "vitest";
import { listenForRedirect } from "../../kernel/platform/mod.ts";
import type { RedirectListener } from "../../lib/mod.ts";

const open: RedirectListener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

async function listen(redirectUri?: string): Promise<RedirectListener> {
  const listener = await listenForRedirect(redirectUri, "mine");
  open.push(listener);
  return listener;
}

/** The status of a request as it is written here, whatever the name in it. */
async function statusOf(
  listener: RedirectListener,
  target: string,
  host?: string,
): Promise<number> {
  const { port, hostname, host: own } = new URL(listener.redirectUri);
  const socket = createConnection({ port: Number(port), host: hostname });
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host ?? own}\r\n\r\n`);
  const [answer] = await once(socket.setEncoding("latin1"), "data");
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

const ANSWER = "/?code=right&state=mine";

test.each([
  ["another name", ANSWER, "rebound.example"],
  ["another name and our port", ANSWER, "rebound.example:PORT"],
  ["our address without the port", ANSWER, "127.0.0.1"],
  ["another port", ANSWER, "127.0.0.1:1"],
  ["another name of this machine", ANSWER, "localhost:PORT"],
  ["another name in the target", "http://rebound.example/?code=right&state=mine", undefined],
])("%s is rejected: it is for another host", async (_name, target, host) => {
  const listener = await listen();
  const { port } = new URL(listener.redirectUri);
  expect(await statusOf(listener, target, host?.replace("PORT", port))).toBe(421);
  expect(await statusOf(listener, ANSWER)).toBe(200);
  const url = await listener.wait(AbortSignal.timeout(60_000));
  expect(url.searchParams.get("code")).toBe("right");
});

test.each([
  ["a code with another state", "/?code=theirs&state=theirs", 400],
  ["a code without a state", "/?code=theirs", 400],
  ["an error of another try", "/?error=access_denied&state=theirs", 400],
  ["an error without a state", "/?error=access_denied", 400],
  ["another path", "/favicon.ico?code=theirs&state=mine", 404],
  ["no answer", "/", 404],
  ["no path", "//[", 404],
])("%s gets an error, and the listener keeps waiting", async (_name, target, status) => {
  const listener = await listen();
  const waited = listener.wait(AbortSignal.timeout(60_000));
  expect(await statusOf(listener, target)).toBe(status);
  const page = await fetch(`${listener.redirectUri}?error=access_denied&state=mine`);
  expect(await page.text()).toContain("You can close this page");
  expect((await waited).searchParams.get("error")).toBe("access_denied");
});

test("a registered host name is accepted", async () => {
  const listener = await listen("http://localhost/back");
  expect(listener.redirectUri).toMatch(/^http:\/\/localhost:\d+\/back$/);
  expect(await statusOf(listener, "/back?code=1&state=mine")).toBe(200);
});

test.each([
  ["https://127.0.0.1/", /only http is supported there; register http:\/\/127\.0\.0\.1\/ instead/],
  ["https://localhost:8443/back", /register http:\/\/localhost:8443\/back instead/],
  ["app://127.0.0.1/", /only http is supported there/],
  ["http://192.0.2.1/", /only addresses of this machine/],
  ["http://127.0.0.1.example/", /only addresses of this machine/],
  ["127.0.0.1", /it is not a URL/],
])("%s is rejected before listening", async (redirectUri, message) => {
  const failure = await listenForRedirect(redirectUri).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect((failure as Error).message).toMatch(message);
});
