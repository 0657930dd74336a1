import type { Runtime } from "../runtime/mod.ts";
import { isBeyondFetch } from "./beyond-fetch.ts";
import { createLazyConnection } from "./create-connect.ts";
import { fetchByNode } from "./node-fetch.ts";
import { type Environment, namesProxy } from "./proxy.ts";

/** Wraps the runtime's fetch for requests that it is slow or incomplete at. */
export type PlatformFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** The source of the runtime's own fetch, to recognize a replacement. */
const NATIVE_FETCH = {
  node: /internal\/deps\/undici/,
  deno: /lazyFetch|\[native code\]/,
  bun: /\[native code\]/,
};

/**
 * Returns a wrapper that sends over `node:http`: on Node all requests that do not follow redirects, on Deno and
 * Bun those that their fetch refuses or changes; nothing on Node where the environment sets a proxy, which
 * {@link createProxiedFetch} uses.
 *
 * Where somebody has replaced fetch or undici's dispatcher (by a proxy or a mock), before or after, the
 * requests go there.
 */
export function createPlatformFetch(
  runtime: Pick<Runtime, "name">,
  environment: Environment,
): PlatformFetch | undefined {
  const isProxied = namesProxy(environment);
  if (runtime.name === "node" && isProxied) return undefined;
  if (!NATIVE_FETCH[runtime.name].test(String(globalThis.fetch))) return undefined;
  const isForNode = runtime.name === "node" ? createNodeTest() : isBeyondFetch;
  const byNode = isProxied ? createLazyConnection(runtime, environment) : fetchByNode;
  return (fetch) => async (input, init) => {
    const mode = init?.redirect ?? (input instanceof Request ? input.redirect : undefined);
    const mayReplace = mode === "manual" && isForNode(input, init);
    return await (mayReplace ? byNode : fetch)(input, init);
  };
}

/** The global dispatcher of undici, both Node's and the package's. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

function createNodeTest(): typeof isBeyondFetch {
  const find = (): unknown => Reflect.get(globalThis, DISPATCHER);
  let initial = find();
  return (input, init = {}) => {
    const { method = input instanceof Request ? input.method : "GET" } = init;
    const now = find();
    initial ??= now;
    // A dispatcher is for undici.
    if ("dispatcher" in init || now !== initial) return false;
    if (now !== undefined && now?.constructor.name !== "Agent") return false;
    // Node's client sends every method in upper case.
    return method === method.toUpperCase() || isBeyondFetch(input, init);
  };
}
