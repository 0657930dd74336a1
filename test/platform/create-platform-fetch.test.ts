import { afterEach, describe, expect, test, vi } from "vitest";
import { createPlatformFetch } from "../../kernel/platform/mod.ts";

const NODE = { name: "node" } as const;
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
const usual: unknown = Reflect.get(globalThis, DISPATCHER);

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.set(globalThis, DISPATCHER, usual);
});

const NOWHERE = "http://127.0.0.1:1/";

/** Whether a request with this method is handed to the runtime's fetch. */
async function goesByFetch(
  platformFetch: ReturnType<typeof createPlatformFetch>,
  method: string,
  init: object = {},
): Promise<boolean> {
  const byFetch = vi.fn(() => Promise.reject(new Error("by fetch")));
  const signal = AbortSignal.abort();
  const sending = platformFetch?.(byFetch)(NOWHERE, {
    method,
    redirect: "manual",
    signal,
    ...init,
  });
  await sending?.catch(() => undefined);
  return byFetch.mock.calls.length > 0;
}

describe("requests over node:http", () => {
  test("on Node every method in upper case, since node:http sends no other", async () => {
    const platformFetch = createPlatformFetch(NODE, {});
    for (const method of ["GET", "POST", "FROB"]) {
      expect(await goesByFetch(platformFetch, method)).toBe(false);
    }
    expect(await goesByFetch(platformFetch, "frob")).toBe(true);
  });

  test("requests that follow redirects or have a dispatcher use fetch", async () => {
    const platformFetch = createPlatformFetch(NODE, {});
    expect(await goesByFetch(platformFetch, "GET", { redirect: "follow" })).toBe(true);
    expect(await goesByFetch(platformFetch, "GET", { dispatcher: {} })).toBe(true);
  });

  test("all on Node where the environment has a proxy", async () => {
    const platformFetch = createPlatformFetch(NODE, { HTTPS_PROXY: "http://127.0.0.1:1" });
    expect(await goesByFetch(platformFetch, "frob")).toBe(false);
    expect(await goesByFetch(platformFetch, "GET", { redirect: "follow" })).toBe(false);
    expect(await goesByFetch(platformFetch, "GET", { dispatcher: {} })).toBe(true);
  });

  test("none where the runtime's fetch was replaced", () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("mocked")));
    expect(createPlatformFetch(NODE, {})).toBeUndefined();
  });

  test("none after the global dispatcher was replaced by a proxy or a mock", async () => {
    const platformFetch = createPlatformFetch(NODE, {});
    expect(await goesByFetch(platformFetch, "GET")).toBe(false);
    Reflect.set(globalThis, DISPATCHER, new (class MockAgent {})());
    expect(await goesByFetch(platformFetch, "GET")).toBe(true);
    expect(await goesByFetch(createPlatformFetch(NODE, {}), "GET")).toBe(true);
  });
});
