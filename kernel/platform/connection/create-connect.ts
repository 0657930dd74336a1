import type { Runtime } from "../runtime/mod.ts";
import type { Connection, CreateFetch } from "./connection.ts";
import { type Environment, namesProxy, proxyOf } from "./proxy.ts";

const RUNTIMES: { readonly [N in Runtime["name"]]: () => Promise<CreateFetch> } = {
  node: async () => (await import("./node.ts")).createNodeFetch,
  deno: async () => (await import("./deno.ts")).createDenoFetch,
  bun: async () => (await import("./bun.ts")).createBunFetch,
};

/** Makes a fetch that uses a connection. */
export type Connect = (connection: Connection) => Promise<typeof fetch>;

/**
 * Gives what makes connections on this runtime. The proxy is chosen for each request, by the
 * options first and by the environment then.
 */
export function createConnect(runtime: Runtime, environment: Environment): Connect {
  return async (connection) => {
    const createFetch = await RUNTIMES[runtime.name]();
    const { proxy: _proxy, noProxy: _noProxy, ...rest } = connection;
    const ways = new Map<string | undefined, Promise<typeof fetch>>();
    const wayThrough = (proxy: string | undefined): Promise<typeof fetch> => {
      const known = ways.get(proxy) ?? Promise.resolve(createFetch({ ...rest, proxy }));
      ways.set(proxy, known);
      return known;
    };
    // What the runtime cannot do is said at once, not by the first request.
    await wayThrough(typeof connection.proxy === "string" ? connection.proxy : undefined);
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      return await (await wayThrough(proxyOf(url, connection, environment)))(input, init);
    };
  };
}

/**
 * A fetch that follows the proxies of the environment; nothing where none is named, or where the
 * runtime's own fetch follows them: Deno and Bun do, Node 20 does not.
 */
export function createProxiedFetch(
  runtime: Runtime,
  environment: Environment,
): typeof fetch | undefined {
  if (runtime.name !== "node" || !namesProxy(environment)) return undefined;
  let made: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    made ??= createConnect(runtime, environment)({});
    return await (await made)(input, init);
  };
}
