import type { Runtime } from "../runtime/mod.ts";
import { fetchByNode } from "./node-fetch.ts";
import { type Environment, namesProxy } from "./proxy.ts";

/** Wraps the runtime's fetch for requests that it is slow or incomplete at. */
export type PlatformFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** The source of the runtime's own fetch, to recognize a replacement. */
const NATIVE_FETCH = { node: /internal\/deps\/undici/, bun: /\[native code\]/ };

/**
 * Returns a wrapper that sends over `node:http`: on Node all requests that do not follow redirects, on
 * Bun those with a method that its fetch does not know; nothing on Deno, and nothing where the environment
 * sets a proxy.
 *
 * Where somebody has replaced fetch or undici's dispatcher (by a proxy or a mock), before or after, the
 * requests go there.
 */
export function createPlatformFetch(
  { name }: Pick<Runtime, "name">,
  environment: Environment,
): PlatformFetch | undefined {
  if (name === "deno" || namesProxy(environment)) return undefined;
  if (!NATIVE_FETCH[name].test(String(globalThis.fetch))) return undefined;
  const mayReplace = name === "node" ? createNodeTest() : isUnknownToBun;
  return (fetch) => async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const method = init?.method ?? request?.method ?? "GET";
    const mode = init?.redirect ?? request?.redirect;
    // Node's client sends every method in upper case; a dispatcher is for undici.
    const isSupported =
      method === method.toUpperCase() && mode === "manual" && !("dispatcher" in (init ?? {}));
    return await (isSupported && mayReplace(method) ? fetchByNode : fetch)(input, init);
  };
}

/** The global dispatcher of undici, both Node's and the package's. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

function createNodeTest(): () => boolean {
  const find = (): unknown => Reflect.get(globalThis, DISPATCHER);
  let initial = find();
  return () => {
    const now = find();
    initial ??= now;
    return now === initial && (now === undefined || now?.constructor.name === "Agent");
  };
}

/** Bun 1.4 sends a GET for a method that it does not know. */
function isUnknownToBun(method: string): boolean {
  return new Request("http://localhost/", { method }).method !== method;
}
