import type { ConnectionOptions } from "../../lib/mod.ts";

/** Options of `node:tls`. */
export interface TlsOptions {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
  readonly servername?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  readonly passphrase?: string;
  readonly ALPNProtocols?: string[];
}

/** An option of a connection cannot be used; nothing was sent. */
export class ConnectionError extends TypeError {
  override readonly name = "ConnectionError";
}

/**
 * The certificates of a connection as options of TLS.
 *
 * @throws {ConnectionError} The client certificate cannot be used.
 */
export function tlsOptionsOf({
  ca,
  insecure,
  servername,
  clientCertificate,
}: ConnectionOptions): TlsOptions {
  if (clientCertificate !== undefined) checkClientCertificate(clientCertificate);
  const { pfx, ...pem } = { pfx: undefined, ...clientCertificate };
  return {
    ...(ca === undefined ? {} : { ca: withRoots(ca) }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(servername === undefined ? {} : { servername }),
    ...pem,
    ...(pfx === undefined ? {} : { pfx: Buffer.from(pfx) }),
  };
}

/** The option `ca` replaces the root certificates, so they are added. */
function withRoots(ca: string | readonly string[]): string[] {
  const { rootCertificates } = process.getBuiltinModule("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}

type ClientCertificate = NonNullable<ConnectionOptions["clientCertificate"]>;

/**
 * Checks a client certificate before it is used: a handshake fails with a number, or without a reason, and Deno 2.9
 * ignores a key whose passphrase is wrong.
 *
 * @throws {ConnectionError} It cannot be used. The message says why.
 */
function checkClientCertificate(certificate: ClientCertificate): void {
  const fault = "pfx" in certificate ? faultOfPfx(certificate) : faultOfPem(certificate);
  if (fault === undefined) return;
  const { what, cause } = fault;
  throw new ConnectionError(`Cannot use connection.clientCertificate: ${what}`, { cause });
}

interface Fault {
  readonly what: string;
  readonly cause?: unknown;
}

function faultOfPfx({
  pfx,
  passphrase,
}: Extract<ClientCertificate, { pfx: unknown }>): Fault | undefined {
  const bytes = Buffer.from(pfx as Uint8Array);
  const what = 'the file of "pfx" is not PKCS #12; a certificate in PEM is given as cert and key';
  // A sequence that begins with the version 3 (RFC 7292, 4), which Bun does not look at.
  const version = bytes.indexOf("020103", "hex");
  if (bytes[0] !== 0x30 || version < 2 || version > 6) return { what };
  try {
    const options = passphrase === undefined ? { pfx: bytes } : { pfx: bytes, passphrase };
    process.getBuiltinModule("node:tls").createSecureContext(options);
    return undefined;
  } catch (cause) {
    const { message } = cause as Error;
    if (/mac verif/i.test(message)) return { what: passphraseFault(passphrase), cause };
    if (!/unsupported/i.test(message)) return { what, cause };
    return {
      what:
        "Node cannot read the old encryption of the PKCS #12 file; write it anew: " +
        "openssl pkcs12 -legacy -in OLD -out ALL.pem, then openssl pkcs12 -export -in ALL.pem -out NEW",
      cause,
    };
  }
}

function passphraseFault(passphrase: string | undefined): string {
  return passphrase === undefined
    ? "its key is encrypted; set connection.clientCertificate.passphrase"
    : "its key cannot be decrypted; check the passphrase";
}

const KEY = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?-----END \1-----/;

function faultOfPem({
  cert,
  key,
  passphrase,
}: Extract<ClientCertificate, { key: unknown }>): Fault | undefined {
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  // Deno 2.9 reads no key behind a certificate.
  const [pem = key] = KEY.exec(key) ?? [];
  const isEncrypted = pem.includes("ENCRYPTED");
  if (isEncrypted && passphrase === undefined) return { what: passphraseFault(passphrase) };
  let privateKey: ReturnType<typeof createPrivateKey>;
  try {
    privateKey = createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase });
  } catch (cause) {
    // One wrong passphrase in 256 decrypts a key to what is none.
    const what = isEncrypted ? passphraseFault(passphrase) : "its key cannot be read";
    return { what, cause };
  }
  try {
    if (new X509Certificate(cert).checkPrivateKey(privateKey)) return undefined;
  } catch (cause) {
    return { what: "the certificate cannot be read", cause };
  }
  return { what: "the key does not belong to the certificate" };
}
