import { UnsendableRequestError } from "../../exchange/mod.ts";
import type { SecretStore } from "../../secrets/mod.ts";
import { type FileAccess, readSource, refuseChangedMethods } from "../request/mod.ts";
import { checkConnection } from "./check-connection.ts";
import type { Connect, ConnectionOptions } from "./connection.ts";

/** What each answer says that came over a connection which anybody could be at the end of. */
export const UNCHECKED =
  "The certificate was not checked (insecure): anybody on the way could have read and changed this";

const NONE: readonly string[] = [];
const RUNTIME_FETCH = globalThis.fetch;

/** How a client may reach servers, and files of certificates. */
export interface TransportAccess extends FileAccess {
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Makes a fetch of the runtime's that is better at some requests; see `restlab/platform`. It is used
   * where neither `fetch` nor `connection` says how to send, and no other global `fetch` was put into
   * the place of the runtime's after this was loaded.
   */
  readonly platformFetch?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  /** Proxy, certificates and protocol. */
  readonly connection?: ConnectionOptions;
  /** Makes a fetch for `connection`; without it such options are refused. */
  readonly connect?: Connect;
}

/** A fetch that only adds to the runtime's, for the cells of a session, names it by this. */
const STANDS_FOR = Symbol.for("restlab.runtime-fetch");

function isRuntimeFetch(given: typeof fetch & { readonly [STANDS_FOR]?: unknown }): boolean {
  return given === RUNTIME_FETCH || given[STANDS_FOR] === RUNTIME_FETCH;
}

/** The way to servers. */
export interface Transport {
  readonly fetch: typeof fetch;
  /** What each exchange has to say of it. */
  readonly warnings: readonly string[];
}

/**
 * Gives the way for the connection options of a single send, which go before those of the client.
 *
 * @param kyFetch The fetch among the ky options, used where the option `fetch` is not.
 */
export type SelectTransport = (
  own?: ConnectionOptions,
  kyFetch?: typeof fetch,
) => Promise<Transport>;

/**
 * Gives the way to servers that a client's options ask for, and what a single send has to say before
 * them. Each way is made once.
 *
 * @throws {UnsendableRequestError} There is no such way here.
 */
export function createTransportSelector(
  options: TransportAccess,
  secrets: SecretStore,
): SelectTransport {
  const ways = new Map<string, Promise<Transport>>();
  const { platformFetch = (runtimeFetch) => runtimeFetch } = options;
  const usual: Transport = {
    fetch: platformFetch(refuseChangedMethods(RUNTIME_FETCH)),
    warnings: NONE,
  };
  const wayOf = async (
    connection: ConnectionOptions,
    kyFetch: typeof fetch | undefined,
  ): Promise<Transport> => {
    if (Object.values(connection).every((it) => it === undefined)) {
      const own = options.fetch ?? kyFetch;
      if (own !== undefined) return transportBy(withRequest(own));
      // Who puts another fetch into the place of the runtime's wants to see the requests.
      return isRuntimeFetch(globalThis.fetch) ? usual : transportBy(globalThis.fetch);
    }
    const key = JSON.stringify(connection);
    const known = ways.get(key);
    if (known !== undefined) return await known;
    const made = connectWith(connection, options, secrets);
    ways.set(key, made);
    made.catch(() => ways.delete(key));
    return await made;
  };
  return (own, kyFetch) => wayOf({ ...options.connection, ...own }, kyFetch);
}

/** A fetch that finds its way when it is called. */
export function createFetch(reach: SelectTransport, own?: ConnectionOptions): typeof fetch {
  return async (input, init) => (await reach(own)).fetch(input, init);
}

function transportBy(fetch: typeof globalThis.fetch, warnings = NONE): Transport {
  return { fetch: refuseChangedMethods(fetch), warnings };
}

/** What a caller hands in for fetch gets a `Request`; beside it the same in parts, but for a stream. */
function withRequest(given: typeof fetch): typeof fetch {
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
        "this client has only fetch; give createClient a connect function, that of restlab/platform for example",
    );
  }
  const ready = await readConnection(connection, options, secrets);
  const fetch = await options.connect(ready);
  return transportBy(fetch, connection.insecure === true ? [UNCHECKED] : NONE);
}

/**
 * Reads the files that connection options name, and takes note of the secrets in them.
 *
 * @throws {UnsendableRequestError} A file cannot be read, or an option is not what it should be.
 */
export async function readConnection(
  connection: ConnectionOptions,
  options: TransportAccess,
  secrets: SecretStore,
): Promise<ConnectionOptions> {
  checkConnection(connection, secrets);
  const { ca, clientCertificate, ...rest } = connection;
  const list = ca === undefined ? [] : typeof ca === "string" ? [ca] : ca;
  const ready: ConnectionOptions = {
    ...rest,
    ...(list.length === 0
      ? {}
      : { ca: await Promise.all(list.map((text) => readPem(text, "ca", options))) }),
    ...(clientCertificate === undefined
      ? {}
      : {
          clientCertificate: {
            ...clientCertificate,
            cert: await readPem(clientCertificate.cert, "clientCertificate.cert", options),
            key: await readPem(clientCertificate.key, "clientCertificate.key", options),
          },
        }),
  };
  if (ready.clientCertificate !== undefined) {
    secrets.hide(ready.clientCertificate.key);
    if (clientCertificate?.passphrase !== undefined) secrets.hide(clientCertificate.passphrase);
  }
  return ready;
}

/** Text that is no certificate or key is the path of one. */
async function readPem(text: string, option: string, files: FileAccess): Promise<string> {
  if (text.includes("-----BEGIN ")) return text;
  return new TextDecoder().decode(await readSource(text, files, `connection.${option}`));
}
