import type { ResolvedConnection } from "./connection.ts";

/** Options of `node:tls`, which Bun uses as well. */
export interface TlsOptions {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** The certificates of a connection as options of TLS. */
export async function tlsOptionsOf({
  ca,
  insecure,
  clientCertificate,
}: ResolvedConnection): Promise<TlsOptions> {
  return {
    ...(ca === undefined ? {} : { ca: await withRoots(ca) }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...clientCertificate,
  };
}

/** The option `ca` replaces the root certificates, so they are added. */
async function withRoots(ca: string | readonly string[]): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}
