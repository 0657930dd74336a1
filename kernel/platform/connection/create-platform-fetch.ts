import type { Runtime } from "../runtime/mod.ts";
import { fetchByNode } from "./node-fetch.ts";
import { type Environment, namesProxy } from "./proxy.ts";

/** Makes a fetch of the runtime's that is better at some requests. */
export type PlatformFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** What the source of a runtime's own fetch holds; in that of a stand-in it does not stand. */
const OWN_FETCH = { node: /internal\/deps\/undici/, bun: /\[native code\]/ };

/**
 * Gives what sends requests on this runtime where its fetch is slow, or cannot: on Node all that follow
 * no redirect, on Bun those with a method that its fetch does not know, on Deno none.
 *
 * Whoever has put something else into the place of the fetch, or of undici's dispatcher (a proxy, a
 * mock), keeps the requests: by then, or later.
 *
 * @param environment Where it names a proxy there is nothing either: `node:http` does not follow it.
 */
export function createPlatformFetch(
  { name }: Pick<Runtime, "name">,
  environment: Environment,
): PlatformFetch | undefined {
  if (name === "deno" || namesProxy(environment)) return undefined;
  if (!OWN_FETCH[name].test(String(globalThis.fetch))) return undefined;
  const isOurs = name === "node" ? createNodeTest() : isUnknownToBun;
  return (fetch) => async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const method = init?.method ?? request?.method ?? "GET";
    const mode = init?.redirect ?? request?.redirect;
    // Node's client writes every method in capitals; a dispatcher is for undici.
    const isPossible =
      method === method.toUpperCase() && mode === "manual" && !("dispatcher" in (init ?? {}));
    return await (isPossible && isOurs(method) ? fetchByNode : fetch)(input, init);
  };
}

/** Where undici, of Node or of a package, keeps what its fetch sends by. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

function createNodeTest(): () => boolean {
  const find = (): unknown => Reflect.get(globalThis, DISPATCHER);
  let usual = find();
  return () => {
    const now = find();
    usual ??= now;
    return now === usual && (now === undefined || now?.constructor.name === "Agent");
  };
}

/** Bun 1.4 makes a GET of what it does not know. */
function isUnknownToBun(method: string): boolean {
  return new Request("http://localhost/", { method }).method !== method;
}
