import type { ConnectionOptions } from "../../lib/mod.ts";

/** A connection for one URL, with its proxy chosen. */
export interface ResolvedConnection extends ConnectionOptions {
  readonly proxy: string | undefined;
}

/** Creates a fetch of a runtime that uses a connection. */
export type CreateFetch = (connection: ResolvedConnection) => Promise<typeof fetch>;

/** A runtime does not support an option of a connection. */
class ConnectionError extends TypeError {
  override readonly name = "ConnectionError";
}

/** @throws {ConnectionError} Always. */
export function rejectOption(option: string, runtime: string, advice: string): never {
  throw new ConnectionError(
    `Cannot use the connection option ${option}: ${runtime} does not support it; ${advice}`,
  );
}

/** Options of `node:tls`, which Bun uses as well. */
export interface TlsOptions {
  readonly ca?: string[] | undefined;
  readonly rejectUnauthorized?: false;
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  readonly passphrase?: string;
}

/** The certificates of a connection as options of TLS. */
export async function tlsOptionsOf({
  ca,
  insecure,
  clientCertificate,
}: ConnectionOptions): Promise<TlsOptions> {
  const { pfx, ...pem } = { pfx: undefined, ...clientCertificate };
  return {
    ...(ca === undefined ? {} : { ca: await withRoots(ca) }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...pem,
    ...(pfx === undefined ? {} : { pfx: Buffer.from(pfx) }),
  };
}

/** The option `ca` replaces the root certificates, so they are added. */
async function withRoots(ca: string | readonly string[]): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}
