import type { Way } from "./connection.ts";

/** What Node's and Bun's TLS takes of a way. */
export interface TlsOptions {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** The certificates of a way in the words of `node:tls`, which Bun took over. */
export async function tlsOf({ ca, insecure, clientCertificate }: Way): Promise<TlsOptions> {
  return {
    ...(ca === undefined ? {} : { ca: await withUsual(ca) }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...clientCertificate,
  };
}

/** A list of one's own would take the place of the usual ones. */
async function withUsual(ca: string | readonly string[]): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}
