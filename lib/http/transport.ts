import { type HeaderList, UnsendableRequestError } from "../exchange/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import { nonNegative } from "./deadline.ts";
import { isComplete, refuseUnsendable } from "./fetch-limits.ts";
import { missingDefaults, type RequestToSend, type RuntimeHeaders } from "./headers.ts";
import type { Connect, ConnectionOptions, TransportOptions } from "./options.ts";
import { readConnection } from "./read-connection.ts";
import { retryOptions } from "./retry.ts";
import type { FileAccess } from "./streamed-body.ts";

/** The warning of each exchange without a checked certificate. */
export const INSECURE_WARNING =
  "The certificate was not checked (insecure): others on the network could have read and changed this";

const RUNTIME_FETCH = globalThis.fetch;

/** How a client connects to servers, and reads the files of certificates. */
export interface TransportAccess extends FileAccess {
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Wraps the fetch of the runtime; see `restlab/platform`. It is used if there is neither `fetch` nor
   * `connection`, and if the global `fetch` is still that of the runtime.
   */
  readonly platformFetch?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  /**
   * Wraps every fetch of the client, whatever the other options select: it answers requests from a
   * recording, and sends none or those that are missing there. See {@link createReplay}.
   */
  readonly replay?: (network: typeof globalThis.fetch) => typeof globalThis.fetch;
  /** Proxy, certificates and protocol. */
  readonly connection?: ConnectionOptions;
  /** Creates a fetch for `connection`; without it such options are refused. */
  readonly connect?: Connect;
  /** Returns the headers that the runtime adds to a request, so that an exchange has all that were sent. */
  readonly runtimeHeaders?: RuntimeHeaders;
}

/** The property with which the fetch of a session names the fetch of the runtime that it wraps. */
const RUNTIME_FETCH_OF = Symbol.for("restlab.runtime-fetch");

function isRuntimeFetch(given: typeof fetch & { readonly [RUNTIME_FETCH_OF]?: unknown }): boolean {
  return given === RUNTIME_FETCH || given[RUNTIME_FETCH_OF] === RUNTIME_FETCH;
}

/** A fetch, the headers that it adds to a request, and the warnings of its exchanges. */
export interface Transport {
  readonly fetch: typeof fetch;
  readonly headersOf: (request: RequestToSend) => HeaderList;
  readonly warnings: readonly string[];
}

/**
 * Selects the transport of a request.
 *
 * @param own The connection options of a send, which take precedence over those of the client.
 * @param kyFetch The fetch of the ky options, used without the option `fetch`.
 */
export type SelectTransport = (
  own?: ConnectionOptions,
  kyFetch?: typeof fetch,
) => Promise<Transport>;

/** Creates the function that selects transports for the options of a client. Each transport is created once. */
export function createTransportSelector(
  options: TransportAccess,
  secrets: SecretStore,
): SelectTransport {
  const transports = new Map<string, Promise<Transport>>();
  const { platformFetch = (runtimeFetch) => runtimeFetch, runtimeHeaders = () => [] } = options;
  const standard: Transport = {
    fetch: platformFetch(refuseUnsendable(RUNTIME_FETCH)),
    headersOf: (request) => runtimeHeaders(request, false),
    warnings: [],
  };
  const select = async (
    connection: ConnectionOptions,
    kyFetch: typeof fetch | undefined,
  ): Promise<Transport> => {
    if (Object.values(connection).every((it) => it === undefined)) {
      const own = options.fetch ?? kyFetch;
      if (own !== undefined) return transportBy(withRequest(own));
      // A replaced global fetch is meant to see the requests.
      return isRuntimeFetch(globalThis.fetch) ? standard : transportBy(globalThis.fetch);
    }
    const key = JSON.stringify(connection);
    const known = transports.get(key);
    if (known !== undefined) return await known;
    const created = connectWith(connection, options, secrets);
    transports.set(key, created);
    created.catch(() => transports.delete(key));
    return await created;
  };
  return async (own, kyFetch) => {
    const network = () => select({ ...options.connection, ...own }, kyFetch);
    if (options.replay === undefined) return await network();
    // Selected late: a replay needs no certificates.
    return transportBy(options.replay(async (...given) => await (await network()).fetch(...given)));
  };
}

/** A fetch for logins that selects its transport when it is called. */
export function createFetch(select: SelectTransport, own?: ConnectionOptions): typeof fetch {
  return async (input, init) => {
    const { fetch } = await select(own);
    if (input instanceof Request) return await fetch(input, init);
    // Not that of the package that logs in.
    const headers = [...new Headers(init?.headers)].filter(([name]) => name !== "user-agent");
    return await fetch(input, {
      ...init,
      headers: [...headers, ...missingDefaults(headers)].map(toPair),
    });
  };
}

const toPair = ([name, value]: HeaderList[number]): [string, string] => [name, value];

/** A fetch of which nothing more is known: it may send nothing at all. */
function transportBy(fetch: typeof globalThis.fetch): Transport {
  return { fetch: refuseUnsendable(fetch), headersOf: () => [], warnings: [] };
}

/** Passes a `Request` to the fetch of a user, and the same as `init` for those that read it, except a stream. */
function withRequest(given: typeof fetch): typeof fetch {
  if (isComplete(given)) return given;
  return (input, init = {}) => {
    const { body, ...others } = init;
    return given(new Request(input, init), body instanceof ReadableStream ? others : init);
  };
}

async function connectWith(
  connection: ConnectionOptions,
  options: TransportAccess,
  secrets: SecretStore,
): Promise<Transport> {
  if (options.connect === undefined) {
    throw new UnsendableRequestError(
      `Cannot use the connection options ${Object.keys(connection).join(", ")}: ` +
        "this client has only fetch; pass connect of restlab/platform to createClient",
    );
  }
  const ready = await readConnection(connection, options, secrets);
  const fetch = await options.connect(ready);
  return {
    fetch: refuseUnsendable(fetch),
    headersOf: (request) => options.runtimeHeaders?.(request, true) ?? [],
    warnings: connection.insecure === true ? [INSECURE_WARNING] : [],
  };
}

/** Transport options with their defaults. */
export type Settings = Omit<Required<TransportOptions>, "retry"> & {
  /** Left out by default: then the retry option of ky applies. */
  readonly retry: ReturnType<typeof retryOptions> | undefined;
  /** Whether the timeout was set, and so applies to endless responses as well. */
  readonly isTimed: boolean;
};

const DEFAULTS: Settings = {
  timeout: 30_000,
  redirect: "follow",
  maxRedirects: 20,
  crossOriginBody: false,
  maxBodyBytes: 256 * 1024 * 1024,
  retry: undefined,
  isTimed: false,
};

const REDIRECT_MODES: ReadonlySet<unknown> = new Set(["follow", "manual", "error"]);

/**
 * The settings of a client.
 *
 * @throws {TypeError} An option is invalid.
 */
export function clientSettings(options: TransportOptions): Settings {
  return requestSettings(options, DEFAULTS);
}

/**
 * The settings of one request.
 *
 * @param base The settings of its client.
 * @throws {TypeError} An option is invalid.
 */
export function requestSettings(options: TransportOptions, base: Settings): Settings {
  return {
    timeout: nonNegative("timeout", options.timeout ?? base.timeout),
    redirect: redirectMode(options.redirect ?? base.redirect),
    maxRedirects: nonNegative("maxRedirects", options.maxRedirects ?? base.maxRedirects),
    crossOriginBody: flag("crossOriginBody", options.crossOriginBody ?? base.crossOriginBody),
    maxBodyBytes: nonNegative("maxBodyBytes", options.maxBodyBytes ?? base.maxBodyBytes),
    retry: options.retry === undefined ? base.retry : retryOptions(options.retry),
    isTimed: options.timeout !== undefined || base.isTimed,
  };
}

/** Not coerced: `"false"` would give secrets away. */
function flag(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is not true or false`);
}

function redirectMode(value: Settings["redirect"]): Settings["redirect"] {
  if (REDIRECT_MODES.has(value)) return value;
  throw new TypeError(
    `Cannot use "${String(value)}" as redirect: use "follow", "manual" or "error"`,
  );
}
