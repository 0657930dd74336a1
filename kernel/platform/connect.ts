import type { ConnectionOptions, RequestToSend, RuntimeHeaders } from "../../lib/mod.ts";
import {
  type CreateFetch,
  isBeyondFetch,
  markComplete,
  resolveConnection,
  tlsOptionsOf,
} from "./connection.ts";
import { createFetchByNode, fetchByNode } from "./node-fetch.ts";
import type { Runtime } from "./platform.ts";
import { type Environment, namesProxy, proxyOf } from "./proxy.ts";

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
function createLazyConnection(
  runtime: Pick<Runtime, "name">,
  environment: Environment,
): typeof fetch {
  let created: Promise<typeof fetch> | undefined;
  return markComplete(async (input, init) => {
    created ??= createConnect(runtime, environment)({});
    return await (await created)(input, init);
  });
}

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

/** What a way of sending adds to a request besides Host. */
interface Additions {
  /** Headers whatever the body is. */
  readonly always: (method: string) => readonly (readonly [name: string, value: string])[];
  /** Whether a request without a body has a Content-Length of 0. */
  readonly sendsZero: (method: string) => boolean;
  /** Whether a streamed body of a known length is sent in chunks nevertheless. */
  readonly chunksStreams?: boolean;
}

const keepAlive = () => [["Connection", "keep-alive"]] as const;
const oneOf = (methods: string) => (method: string) => methods.split(" ").includes(method);

/** Deno 2.9 and Bun 1.4, and the two ways of Node: `node:http`, and undici with connection options. */
const ADDITIONS: { readonly [N in Runtime["name"] | "undici"]: Additions } = {
  node: { always: keepAlive, sendsZero: (method) => !oneOf("GET HEAD DELETE OPTIONS")(method) },
  undici: {
    // undici closes the connection after HEAD, since some servers send a body nevertheless.
    always: (method) => [
      ["Connection", method === "HEAD" ? "close" : "keep-alive"],
      ["Sec-Fetch-Mode", "cors"],
    ],
    sendsZero: oneOf("PUT POST PATCH"),
  },
  deno: { always: () => [], sendsZero: oneOf("PUT POST"), chunksStreams: true },
  bun: { always: keepAlive, sendsZero: (method) => !oneOf("GET HEAD")(method) },
};

/** Creates the function that returns the headers which a runtime adds to a request over HTTP/1.1. */
export function createRuntimeHeaders({ name }: Pick<Runtime, "name">): RuntimeHeaders {
  return ({ method, url, headers, body }, usesConnection) => {
    const additions = ADDITIONS[name === "node" && usesConnection ? "undici" : name];
    const isSet = headers.some(([it]) => it.toLowerCase() === "content-length");
    return [
      ["Host", url.host],
      ...additions.always(method),
      ...(isSet ? [] : lengthHeaders(method, body, additions)),
    ];
  };
}

function lengthHeaders(
  method: string,
  body: RequestToSend["body"],
  { sendsZero, chunksStreams = false }: Additions,
): readonly (readonly [name: string, value: string])[] {
  if (body === undefined) return sendsZero(method) ? [["Content-Length", "0"]] : [];
  const { length, isStreamed } = body;
  const isChunked = length === undefined || (isStreamed && chunksStreams);
  return [isChunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(length)]];
}
