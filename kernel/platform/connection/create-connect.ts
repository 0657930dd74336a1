import type { ConnectionOptions } from "../../../lib/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { isBeyondFetch, markComplete } from "./beyond-fetch.ts";
import { type CreateFetch, resolveConnection } from "./connection.ts";
import { createFetchByNode } from "./node-fetch.ts";
import { type Environment, namesProxy, proxyOf } from "./proxy.ts";
import { tlsOptionsOf } from "./tls.ts";

const RUNTIMES: { readonly [N in Runtime["name"]]: () => Promise<CreateFetch> } = {
  node: async () => (await import("./node.ts")).createNodeFetch,
  deno: async () => (await import("./deno.ts")).createDenoFetch,
  bun: async () => (await import("./bun.ts")).createBunFetch,
};

type Connect = (connection: ConnectionOptions) => Promise<typeof fetch>;

/**
 * Returns the function that creates a fetch for a connection on this runtime. The proxy of each request
 * comes from the connection, else from the environment.
 */
export function createConnect(runtime: Pick<Runtime, "name">, environment: Environment): Connect {
  return async (connection) => {
    const byRuntime = createFetches(connection, await RUNTIMES[runtime.name]());
    const byNode = createFetches(connection, async (resolved) =>
      createFetchByNode({ proxy: resolved.proxy, tls: await tlsOptionsOf(resolved) }),
    );
    // Reports unsupported options before the first request.
    await byRuntime(typeof connection.proxy === "string" ? connection.proxy : undefined);
    return markComplete(async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const fetchThrough = isBeyondFetch(input, init) ? byNode : byRuntime;
      return await (await fetchThrough(proxyOf(url, connection, environment)))(input, init);
    });
  };
}

/** Creates one fetch for each proxy. */
function createFetches(
  connection: ConnectionOptions,
  create: CreateFetch,
): (proxy: string | undefined) => Promise<typeof fetch> {
  const fetches = new Map<string | undefined, Promise<typeof fetch>>();
  return (proxy) => {
    const known = fetches.get(proxy) ?? create(resolveConnection(connection, proxy));
    fetches.set(proxy, known);
    return known;
  };
}

/**
 * Creates a fetch that uses the proxies of the environment; nothing where none is set, or where the
 * runtime's fetch uses them itself: Deno's and Bun's do, Node 20's does not.
 */
export function createProxiedFetch(
  runtime: Pick<Runtime, "name">,
  environment: Environment,
): typeof fetch | undefined {
  if (runtime.name !== "node" || !namesProxy(environment)) return undefined;
  return createLazyConnection(runtime, environment);
}

/** Creates a fetch that uses the proxies of the environment, when it is called first. */
export function createLazyConnection(
  runtime: Pick<Runtime, "name">,
  environment: Environment,
): typeof fetch {
  let created: Promise<typeof fetch> | undefined;
  return markComplete(async (input, init) => {
    created ??= createConnect(runtime, environment)({});
    return await (await created)(input, init);
  });
}
