import type { Runtime } from "../runtime/mod.ts";
import { type Connection, type CreateFetch, resolveConnection } from "./connection.ts";
import { type Environment, namesProxy, proxyOf } from "./proxy.ts";

const RUNTIMES: { readonly [N in Runtime["name"]]: () => Promise<CreateFetch> } = {
  node: async () => (await import("./node.ts")).createNodeFetch,
  deno: async () => (await import("./deno.ts")).createDenoFetch,
  bun: async () => (await import("./bun.ts")).createBunFetch,
};

type Connect = (connection: Connection) => Promise<typeof fetch>;

/**
 * Returns the function that creates a fetch for a connection on this runtime. The proxy of each request
 * comes from the connection, else from the environment.
 */
export function createConnect(runtime: Runtime, environment: Environment): Connect {
  return async (connection) => {
    const createFetch = await RUNTIMES[runtime.name]();
    const fetches = new Map<string | undefined, Promise<typeof fetch>>();
    const fetchThrough = (proxy: string | undefined): Promise<typeof fetch> => {
      const known = fetches.get(proxy) ?? createFetch(resolveConnection(connection, proxy));
      fetches.set(proxy, known);
      return known;
    };
    // Reports unsupported options before the first request.
    await fetchThrough(typeof connection.proxy === "string" ? connection.proxy : undefined);
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      return await (await fetchThrough(proxyOf(url, connection, environment)))(input, init);
    };
  };
}

/**
 * Creates a fetch that uses the proxies of the environment; nothing where none is set, or where the
 * runtime's fetch uses them itself: Deno's and Bun's do, Node 20's does not.
 */
export function createProxiedFetch(
  runtime: Runtime,
  environment: Environment,
): typeof fetch | undefined {
  if (runtime.name !== "node" || !namesProxy(environment)) return undefined;
  let created: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    created ??= createConnect(runtime, environment)({});
    return await (await created)(input, init);
  };
}
