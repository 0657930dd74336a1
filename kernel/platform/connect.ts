import { isBeyondFetch, markComplete } from "../../lib/fetch/mod.ts";
import type { ConnectionOptions, RequestToSend, RuntimeHeaders } from "../../lib/mod.ts";
import { type CreateFetch, tlsOptionsOf } from "./connection.ts";
import { createFetchByNode, fetchByNode } from "./node-fetch.ts";
import type { Runtime } from "./platform.ts";
import { type Environment, namesProxy, parseProxy, proxyOf } from "./proxy.ts";

const RUNTIMES: { readonly [N in Runtime["name"]]: () => Promise<CreateFetch> } = {
  node: async () => (await import("./undici.ts")).createUndiciFetch,
  deno: async () => (await import("./deno.ts")).createDenoFetch,
  bun: async () => (await import("./bun.ts")).createBunFetch,
};

type Fetch = typeof globalThis.fetch;
type Connect = (connection: ConnectionOptions) => Promise<Fetch>;

/**
 * Returns the function that creates a fetch for a connection on this runtime: over `node:http` on Node, unless it may
 * use HTTP/2, and elsewhere for what the runtime's fetch refuses. The proxy of each request comes from the connection,
 * else from the environment.
 */
export function createConnect({ name }: Pick<Runtime, "name">, environment: Environment): Connect {
  return async (connection) => {
    const { unixSocket, http2 } = connection;
    const proxyFor = (url: URL): string | undefined =>
      unixSocket === undefined ? proxyOf(url, connection, environment) : undefined;
    const byNode = createFetchByNode({ proxyFor, unixSocket, tls: await tlsOptionsOf(connection) });
    if (unixSocket !== undefined) return markComplete(byNode);
    const isForNode = name === "node" && http2 !== true ? suitsNode : isBeyondFetch;
    const fetches = new Map<string | undefined, Promise<Fetch>>();
    const byRuntime = (proxy: string | undefined): Promise<Fetch> => {
      const known = fetches.get(proxy) ?? createByRuntime(proxy);
      fetches.set(proxy, known);
      return known;
    };
    const createByRuntime = async (proxy: string | undefined): Promise<Fetch> =>
      (await RUNTIMES[name]())({ ...connection, proxy });
    // Reports unsupported options before the first request. Node supports all of them.
    if (name !== "node") await byRuntime(connection.proxy || undefined);
    return markComplete(async (input, init) => {
      const proxy = proxyFor(new URL(input instanceof Request ? input.url : input));
      try {
        const fetch = isForNode(input, init) ? byNode : await byRuntime(proxy);
        return await fetch(input, init);
      } catch (error) {
        // The error of a runtime names the server, or nobody.
        if (proxy === undefined || !(error instanceof Error)) throw error;
        throw Object.assign(error, { proxy: parseProxy(proxy).url.host });
      }
    });
  };
}

/** Whether `node:http` sends a request as undici does: it follows no redirects, and sends methods in upper case. */
function suitsNode(...[input, init = {}]: Parameters<Fetch>): boolean {
  const { method, redirect } = { ...partsOf(input), ...init };
  if (redirect !== "manual") return false;
  return method === undefined || method === method.toUpperCase() || isBeyondFetch(input, init);
}

function partsOf(input: Parameters<Fetch>[0]): RequestInit {
  return input instanceof Request ? { method: input.method, redirect: input.redirect } : {};
}

/** Wraps the runtime's fetch for requests that it is slow or incomplete at. */
export type PlatformFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** The source of the runtime's own fetch, to recognize a replacement. */
const NATIVE_FETCH = {
  node: /internal\/deps\/undici/,
  deno: /lazyFetch|\[native code\]/,
  bun: /\[native code\]/,
};

/** The global dispatcher of undici, both Node's and the package's. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/**
 * Returns a wrapper that sends over `node:http`: on Node all requests that do not follow redirects, and all where the
 * environment names a proxy, which Node 20's fetch does not use; on Deno and Bun those that their fetch refuses or
 * changes.
 *
 * Where somebody has replaced fetch or undici's dispatcher (by a proxy or a mock), before or after, the
 * requests go there.
 */
export function createPlatformFetch(
  { name }: Pick<Runtime, "name">,
  environment: Environment,
): PlatformFetch | undefined {
  if (!NATIVE_FETCH[name].test(String(globalThis.fetch))) return undefined;
  const isProxied = namesProxy(environment);
  const own = isProxied ? createLazyConnection(name, environment) : fetchByNode;
  const isReplaced = name === "node" ? createDispatcherTest() : () => false;
  const isOwn = name !== "node" ? isBeyondFetch : isProxied ? () => true : suitsNode;
  return (fetch) => async (input, init) =>
    await (isOwn(input, init) && !isReplaced(init) ? own : fetch)(input, init);
}

/** Creates a fetch that uses the proxies of the environment, when it is called first. */
function createLazyConnection(name: Runtime["name"], environment: Environment): Fetch {
  let created: Promise<Fetch> | undefined;
  return async (input, init) => {
    created ??= createConnect({ name }, environment)({});
    return await (await created)(input, init);
  };
}

/** Creates a test whether a request is for undici: it has a dispatcher, or another one than Node's was set. */
function createDispatcherTest(): (init?: RequestInit) => boolean {
  const find = (): unknown => Reflect.get(globalThis, DISPATCHER);
  let initial = find();
  return (init = {}) => {
    const now = find();
    initial ??= now;
    if ("dispatcher" in init || now !== initial) return true;
    return now !== undefined && now?.constructor.name !== "Agent";
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

/** Deno 2.9 and Bun 1.4, and the two ways of Node: `node:http`, and undici for HTTP/2. */
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
  return ({ method, url, headers, body }, connection) => {
    const additions = ADDITIONS[name === "node" && connection?.http2 === true ? "undici" : name];
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
