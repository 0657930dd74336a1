import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runRequest } from "../../kernel/session/run-request.ts";
import { describeWaiting } from "../../kernel/terminal/mod.ts";
import { createClient, readText } from "../../lib/mod.ts";

let base = "";
let waiting: ServerResponse[] = [];
const server = createServer((request, response) => {
  if (request.url === "/head") {
    response.writeHead(200, { "Content-Type": "text/plain" });
    response.flushHeaders();
  }
  if (request.url === "/fast") response.end("ok");
  else waiting.push(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Runs a request cell, and ends the answer once the output has what is waited for. */
async function watch(path: string, until?: RegExp, timeout = 30_000) {
  const outputs: string[][] = [];
  let seen = (_text: string): void => undefined;
  const shown = new Promise<void>((resolve) => {
    seen = (text) => {
      if (until?.test(text)) resolve();
    };
  });
  const put = (index: number, text: string): void => {
    const texts = outputs[index] ?? [];
    texts.push(text);
    outputs[index] = texts;
    seen(text);
  };
  type Shown = { bundle(): { readonly "text/plain": string } };
  const sink = {
    stream: () => undefined,
    display: () => undefined,
    displayWithId: (one: Shown) => {
      put(outputs.length, one.bundle()["text/plain"]);
      return String(outputs.length - 1);
    },
    update: (id: string, one: Shown) => put(Number(id), one.bundle()["text/plain"]),
  };
  const client = createClient({ timeout });
  const { signal } = new AbortController();
  waiting = [];
  const ended = runRequest(client, readText(`GET ${base}${path}`), {
    sink,
    signal,
    hasFile: () => true,
  });
  const outcome = ended.then(
    (value) => value,
    (error: Error) => error,
  );
  if (until !== undefined) {
    await shown;
    for (const response of waiting) response.end("done");
  }
  return { outcome: await outcome, outputs };
}

test("a request without an answer shows how long it has been waited for", async () => {
  const { outcome, outputs } = await watch("/never", /waiting 1 s of 30 s/);
  expect(outputs).toHaveLength(1);
  expect(outputs[0]?.[0]).toBe(`GET ${base}/never\nwaiting 0.4 s of 30 s`);
  expect(outputs[0]?.at(-1)).toContain(`200 OK · Successful · GET ${base}/never`);
  expect(outcome).toEqual({ status: "ok" });
});

test("an answer without a first byte of its body shows how long it takes", async () => {
  const { outputs } = await watch("/head", /in progress · 0 bytes in 1\.\d s/);
  expect(outputs).toHaveLength(1);
  expect(outputs[0]?.at(-1)).toMatch(/^200 OK[\s\S]*done$/);
});

test("a request that fails has no answer, and no longer waits", async () => {
  const { outcome, outputs } = await watch("/never", undefined, 900);
  expect(outcome).toBeInstanceOf(Error);
  expect(outputs[0]?.[0]).toContain("waiting 0.4 s of 0.9 s");
  expect(outputs[0]?.at(-1)).toBe(`GET ${base}/never\nno answer`);
});

test("a fast answer shows nothing but itself", async () => {
  const { outcome, outputs } = await watch("/fast");
  expect(outputs).toEqual([]);
  expect(outcome).toMatchObject({ status: "ok", result: {} });
});

test("at the prompt the line of progress says so, until something arrives", () => {
  const request = { method: "GET", url: base, startedAt: new Date(Date.now() - 3_100) };
  expect(describeWaiting({ pending: [{ ...request, timeout: 30_000 }] })).toBe(
    "waiting 3 s of 30 s",
  );
  expect(describeWaiting({ pending: [request] })).toBe("waiting 3 s");
  expect(describeWaiting({ pending: [{ ...request, received: 1 }] })).toBeUndefined();
  expect(describeWaiting({ pending: [] })).toBeUndefined();
});
