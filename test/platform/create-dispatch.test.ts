import { afterEach, describe, expect, test, vi } from "vitest";
import { createDispatch } from "../../kernel/platform/connection/create-dispatch.ts";
import type { Incoming, Outgoing } from "../../kernel/platform/connection/dispatch.ts";

const NODE = { name: "node" } as const;
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
const usual: unknown = Reflect.get(globalThis, DISPATCHER);

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.set(globalThis, DISPATCHER, usual);
});

const outgoing = (method: string): Outgoing => ({
  method,
  url: new URL("http://127.0.0.1:1/"),
  headers: [],
  body: undefined,
  cancellation: {
    signal: new AbortController().signal,
    reason: new Error("not sent"),
    listen: () => () => undefined,
  },
});

/** Whether a request with this method is handed to the runtime's fetch. */
async function goesByFetch(
  dispatch: ReturnType<typeof createDispatch>,
  method: string,
): Promise<boolean> {
  const byFetch = vi.fn(() => Promise.reject(new Error("by fetch")));
  await dispatch?.(outgoing(method), byFetch as () => Promise<Incoming>).catch(() => undefined);
  return byFetch.mock.calls.length > 0;
}

describe("what leaves by node:http", () => {
  test("on Node every method in capitals; that client writes no others", async () => {
    const dispatch = createDispatch(NODE, {});
    for (const method of ["GET", "POST", "FROB"]) {
      expect(await goesByFetch(dispatch, method)).toBe(false);
    }
    expect(await goesByFetch(dispatch, "frob")).toBe(true);
  });

  test("nothing on Deno, and nothing where the environment names a proxy", () => {
    expect(createDispatch({ name: "deno" }, {})).toBeUndefined();
    expect(createDispatch(NODE, { HTTPS_PROXY: "http://127.0.0.1:1" })).toBeUndefined();
  });

  test("nothing where another fetch was put into the place of the runtime's", () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("mocked")));
    expect(createDispatch(NODE, {})).toBeUndefined();
  });

  test("nothing once another dispatcher is what fetch sends by, a proxy or a mock", async () => {
    const dispatch = createDispatch(NODE, {});
    expect(await goesByFetch(dispatch, "GET")).toBe(false);
    Reflect.set(globalThis, DISPATCHER, new (class MockAgent {})());
    expect(await goesByFetch(dispatch, "GET")).toBe(true);
    expect(await goesByFetch(createDispatch(NODE, {}), "GET")).toBe(true);
  });
});
