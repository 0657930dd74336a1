import { type HeaderList, UnsendableRequestError } from "../exchange/mod.ts";
import {
  addedHeaders,
  droppedHeaders,
  isBodiless,
  isChangedMethod,
  methodOf,
  RUNTIME_FETCH,
} from "../fetch/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import { type FileAccess, isStreamed } from "./body-out.ts";
import { countedStream } from "./body-stream.ts";
import { callGivenFetch } from "./failure.ts";
import { missingDefaults } from "./headers.ts";
import type { Connect, ConnectionOptions, Fetch } from "./options.ts";
import { lengthOf, type Outgoing, toByteString, writtenUrl } from "./outgoing.ts";
import { readConnection } from "./read-connection.ts";
import type { Send } from "./send.ts";

/** The warning of each exchange whose certificate was not checked. */
export const INSECURE_WARNING =
  "The certificate was not checked (insecure): others on the network could have read and changed this";

const NATIVE_FETCH = globalThis.fetch;

/** How a client connects to servers, and reads the files of certificates. */
export interface TransportAccess extends FileAccess {
  /** Used instead of all others, unless there are connection options. */
  readonly fetch?: Fetch | undefined;
  /**
   * Wraps every fetch of the client, whatever the other options select: it answers requests from a
   * recording, and sends none or those that are missing there. See {@link createReplay}.
   */
  readonly replay?: ((network: Fetch) => Fetch) | undefined;
  /** Proxy, certificates and protocol. */
  readonly connection?: ConnectionOptions | undefined;
  /**
   * Creates the fetch of a connection; see `restlab/platform`. It sends unless there is a `fetch` or the global one was
   * replaced, and whatever there is with `connection`. Without it, the global `fetch` sends, and `connection` is refused.
   */
  readonly connect?: Connect | undefined;
}

function isRuntimeFetch(given: Fetch & { readonly [RUNTIME_FETCH]?: unknown }): boolean {
  return given === NATIVE_FETCH || given[RUNTIME_FETCH] === NATIVE_FETCH;
}

/** A fetch, and the headers that it adds to a request. */
export interface Transport {
  readonly fetch: Fetch;
  readonly headersOf: (outgoing: Outgoing, defaults: HeaderList) => HeaderList;
  /** Whether it sends a Host that was written. */
  readonly sendsHost: boolean;
  /** Returns the URL that is passed to the fetch. */
  readonly addressOf: (outgoing: Outgoing) => string;
  /** Whether no certificate is checked. */
  readonly isInsecure?: boolean | undefined;
  /** Whether it is that of a page: the browser drops some headers, and has defaults of its own. */
  readonly isOfPage?: boolean | undefined;
}

/**
 * Selects the transport of a request.
 *
 * @param own The connection options of a send, which take precedence over those of the client.
 * @param kyFetch The fetch of the ky options, used without the option `fetch`.
 */
export type SelectTransport = (own?: ConnectionOptions, kyFetch?: Fetch) => Promise<Transport>;

/** Creates the function that selects transports for the options of a client. Each transport is created once. */
export function createTransportSelector(
  options: TransportAccess,
  secrets: SecretStore,
): SelectTransport {
  const { fetch: given } = options;
  if (given !== undefined && typeof given !== "function") {
    throw new TypeError(`Cannot use ${String(given)} as fetch: it is not a function`);
  }
  const transports = new Map<string, Promise<Transport>>();
  const select = async (
    connection: ConnectionOptions,
    kyFetch: Fetch | undefined,
  ): Promise<Transport> => {
    // Each other fetch decompresses.
    const needs = Object.entries(connection).filter(([name]) => name !== "decompress");
    if (needs.every(([, it]) => it === undefined)) {
      const own = options.fetch ?? kyFetch;
      if (own !== undefined) return transportBy(withRequest(own));
      // A replaced global fetch is meant to see the requests.
      const isReplaced = !isRuntimeFetch(globalThis.fetch);
      if (isReplaced) return transportBy(withRequest(globalThis.fetch));
      if (options.connect === undefined) {
        const isOfPage = droppedHeaders([["Cookie", "a=1"]]).length > 0;
        return { ...transportBy(globalThis.fetch), isOfPage };
      }
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
    const connection = { ...options.connection, ...own };
    if (options.replay === undefined) return await select(connection, kyFetch);
    const network: Fetch = async (...given) =>
      // Selected late: a replay needs no certificates.
      await (await select(connection, kyFetch)).fetch(...given);
    return { ...transportBy(network), fetch: options.replay(network), sendsHost: true };
  };
}

/** A fetch for logins that selects its transport when it is called. */
export function createFetch(select: SelectTransport, own?: ConnectionOptions): Fetch {
  return async (input, init) => {
    const { fetch, isOfPage } = await select(own);
    if (input instanceof Request) return await fetch(input, init);
    // Not that of the package that logs in.
    const headers = [...new Headers(init?.headers)].filter(([name]) => name !== "user-agent");
    const missing = isOfPage ? [] : missingDefaults(headers);
    return await fetch(input, { ...init, headers: [...headers, ...missing].map(toPair) });
  };
}

const toPair = ([name, value]: HeaderList[number]): [string, string] => [name, value];

/** A fetch of which nothing more is known: it may send nothing at all. */
function transportBy(fetch: Fetch): Transport {
  return {
    fetch: refuseUnsendable(fetch),
    headersOf: () => [],
    sendsHost: false,
    addressOf: ({ url }) => url.href,
  };
}

/** Passes a `Request` to the fetch of a user, and the same as `init` for those that read it, except a stream. */
function withRequest(given: Fetch): Fetch {
  return (input, init = {}) => {
    const { body, ...others } = init;
    const request = new Request(input, init);
    return callGivenFetch(() => given(request, body instanceof ReadableStream ? others : init));
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
  return {
    fetch: await options.connect(ready),
    headersOf: ({ method, url, headers, body }, defaults) => {
      const bodyLength = body === undefined ? undefined : (lengthOf(body) ?? Number.NaN);
      const request = { method, url, headers: [...headers, ...defaults], bodyLength };
      return addedHeaders(request, connection.keepAlive);
    },
    sendsHost: true,
    addressOf: connection.pathAsIs ? writtenUrl : ({ url }) => url.href,
    isInsecure: connection.insecure,
  };
}

/**
 * Wraps a fetch so that it refuses what it cannot send, before it sends anything: methods that it would
 * silently change, and bodies with GET and HEAD, which the Fetch standard forbids.
 */
function refuseUnsendable(fetch: Fetch): Fetch {
  return async (input, init) => {
    const { method = "GET", body } = init ?? {};
    if (isChangedMethod(method)) {
      throw new UnsendableRequestError(
        `Cannot send the method "${method}": the fetch of this runtime would send ${methodOf(method)} ` +
          "instead; pass connect of restlab/platform to createClient",
      );
    }
    if (body != null && isBodiless(method)) {
      throw new UnsendableRequestError(
        `Cannot send ${method} "${String(input)}" with a body: the fetch of this client refuses it; ` +
          "Node, Deno and Bun send it with connect of restlab/platform and no other fetch; " +
          "elsewhere use POST or QUERY, or move the values to the query of the URL",
      );
    }
    return await fetch(input, init);
  };
}

/** Sends a hop, with the default headers that it does not have. A streamed body is opened for each hop. */
export async function fetchOutgoing(
  { transport: { fetch, addressOf }, context: { received }, deadline, flight, requestInit }: Send,
  outgoing: Outgoing,
  defaults: HeaderList,
): Promise<Response> {
  const { method, url, headers, body } = outgoing;
  const encode = (value: string): string => received.encode(url.hostname, value);
  const address = addressOf(outgoing);
  const init = {
    ...requestInit,
    method,
    headers: withLength(outgoingHeaders([...headers, ...defaults], encode), body),
    redirect: "manual",
    // Not passed in a `Request`: Node 20 drops the signal when that is garbage-collected.
    signal: deadline.signal,
  } as const;
  if (body === undefined) return await fetch(address, init);
  if (!isStreamed(body)) return await fetch(address, { ...init, body });
  // Every runtime requires `duplex`, which the DOM types do not have.
  const stream = countedStream(body, flight);
  return await fetch(address, { ...init, body: stream, duplex: "half" } as RequestInit);
}

/** Headers for fetch: byte strings, a repeated name as often as it is written. A fetch that is handed in joins them. */
export function outgoingHeaders(
  headers: HeaderList,
  encode: (value: string) => string = toByteString,
): [string, string][] {
  return headers.map(([name, value]) => [name, encode(value)]);
}

/** Without Content-Length a stream is sent in chunks, which some servers refuse. */
function withLength(headers: [string, string][], body: Outgoing["body"]): [string, string][] {
  if (!isStreamed(body) || body.size === undefined) return headers;
  if (headers.some(([name]) => name.toLowerCase() === "content-length")) return headers;
  return [...headers, ["Content-Length", String(body.size)]];
}
