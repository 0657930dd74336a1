import type { SecretStore } from "../secrets/mod.ts";
import { checkConnection } from "./check-connection.ts";
import type { ClientOptions } from "./client.ts";
import type { ConnectionOptions } from "./connection.ts";
import { UnsendableRequestError } from "./errors.ts";
import { readSource } from "./files.ts";

/** What each answer says that came over a connection which anybody could be at the end of. */
export const UNCHECKED =
  "The certificate was not checked (insecure): anybody on the way could have read and changed this";

/** The way to servers. */
export interface Reach {
  readonly fetch: typeof fetch;
  /** What each exchange has to say of it. */
  readonly warnings: readonly string[];
}

/**
 * Gives the way to servers that a client's options ask for, and what a single send has to say before
 * them; a promise where it has to be made first. Each way is made once.
 *
 * @throws {UnsendableRequestError} There is no such way here.
 */
export function createReach(
  options: ClientOptions,
  secrets: SecretStore,
): (own?: ConnectionOptions) => Reach | Promise<Reach> {
  const ways = new Map<string, Promise<Reach>>();
  const wayOf = (connection: ConnectionOptions | undefined): Reach | Promise<Reach> => {
    if (connection === undefined || Object.values(connection).every((it) => it === undefined)) {
      return { fetch: options.fetch ?? globalThis.fetch, warnings: [] };
    }
    const key = JSON.stringify(connection);
    const known = ways.get(key);
    if (known !== undefined) return known;
    const made = connectWith(connection, options, secrets);
    ways.set(key, made);
    made.catch(() => ways.delete(key));
    return made;
  };
  return (own) => wayOf(own === undefined ? options.connection : { ...options.connection, ...own });
}

async function connectWith(
  connection: ConnectionOptions,
  options: ClientOptions,
  secrets: SecretStore,
): Promise<Reach> {
  if (options.connect === undefined) {
    throw new UnsendableRequestError(
      `Cannot use the connection options ${Object.keys(connection).join(", ")}: ` +
        "this client has only fetch; give createClient a connect function, that of restlab/platform for example",
    );
  }
  const ready = await readConnection(connection, options, secrets);
  return {
    fetch: await options.connect(ready),
    warnings: connection.insecure === true ? [UNCHECKED] : [],
  };
}

/**
 * Reads the files that connection options name, and takes note of the secrets in them.
 *
 * @throws {UnsendableRequestError} A file cannot be read, or an option is not what it should be.
 */
export async function readConnection(
  connection: ConnectionOptions,
  options: ClientOptions,
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
async function readPem(
  text: string,
  option: string,
  { readFile, openFile }: ClientOptions,
): Promise<string> {
  if (text.includes("-----BEGIN ")) return text;
  const files = { readFile, openFile };
  return new TextDecoder().decode(await readSource(text, files, `connection.${option}`));
}
