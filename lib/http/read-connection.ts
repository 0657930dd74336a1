import { UnsendableRequestError } from "../exchange/mod.ts";
import { decodePercent } from "../fetch/mod.ts";
import { nearNames } from "../interpolation/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import { type FileAccess, readSource } from "./body-out.ts";
import type { ConnectionOptions } from "./options.ts";

/**
 * Reads the files of connection options, and learns the secrets in them.
 *
 * @throws {UnsendableRequestError} A file cannot be read, or an option is invalid.
 */
export async function readConnection(
  connection: ConnectionOptions,
  files: FileAccess,
  secrets: SecretStore,
): Promise<ConnectionOptions> {
  checkConnection(connection, secrets);
  const { ca = [], clientCertificate, ...rest } = connection;
  const read = (text: string, option: string) => readPem(text, option, files);
  const list = typeof ca === "string" ? [ca] : ca;
  const authorities = await Promise.all(list.map((text) => read(text, "ca")));
  const ready = authorities.length === 0 ? rest : { ...rest, ca: authorities };
  if (clientCertificate === undefined) return ready;
  const { passphrase } = clientCertificate;
  if (passphrase !== undefined) secrets.hide(passphrase);
  if ("pfx" in clientCertificate) {
    const { pfx } = clientCertificate;
    const bytes =
      typeof pfx === "string"
        ? await readSource(pfx, files, "connection.clientCertificate.pfx")
        : pfx;
    return { ...ready, clientCertificate: { ...clientCertificate, pfx: bytes } };
  }
  const cert = await read(clientCertificate.cert, "clientCertificate.cert");
  const key = await read(clientCertificate.key, "clientCertificate.key");
  secrets.hide(key);
  return { ...ready, clientCertificate: { ...clientCertificate, cert, key } };
}

interface Kind {
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";
const YES_OR_NO: Kind = { wanted: "true or false", fits: (value) => typeof value === "boolean" };

const KINDS: { readonly [N in keyof Required<ConnectionOptions>]: Kind } = {
  proxy: { wanted: "a URL or false", fits: (value) => isText(value) || value === false },
  noProxy: { wanted: "text", fits: isText },
  ca: {
    wanted: "PEM text, a path, or a list of them",
    fits: (value) => (Array.isArray(value) ? value.every(isText) : isText(value)),
  },
  insecure: YES_OR_NO,
  clientCertificate: {
    wanted: "an object with cert and key",
    fits: (value) => {
      if (typeof value !== "object" || value === null) return false;
      if ("pfx" in value) return isText(value.pfx) || value.pfx instanceof Uint8Array;
      return isText(Reflect.get(value, "cert")) && isText(Reflect.get(value, "key"));
    },
  },
  http2: {
    wanted: 'true, false or "prior-knowledge"',
    fits: (value) => YES_OR_NO.fits(value) || value === "prior-knowledge",
  },
  servername: { wanted: "a name", fits: isText },
  keepAlive: YES_OR_NO,
  pathAsIs: YES_OR_NO,
  decompress: YES_OR_NO,
  maxHeaderSize: {
    wanted: "a positive whole number",
    fits: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  },
  unixSocket: { wanted: "a path", fits: isText },
};

/**
 * Checks connection options, which no compiler does in request texts, and learns the password of a proxy.
 *
 * @throws {UnsendableRequestError} An option is unknown or has the wrong type. The message quotes no
 * value, since it may contain a password.
 */
function checkConnection(connection: ConnectionOptions, secrets: SecretStore): void {
  for (const [name, value] of Object.entries(connection)) {
    if (!Object.hasOwn(KINDS, name)) {
      const names = Object.keys(KINDS);
      const [near] = nearNames(name, names);
      throw new UnsendableRequestError(
        `Cannot use the connection option "${name}": ` +
          (near === undefined ? `use one of ${names.join(", ")}` : `did you mean "${near}"?`),
      );
    }
    const { wanted, fits } = KINDS[name as keyof ConnectionOptions];
    if (value === undefined || fits(value)) continue;
    throw new UnsendableRequestError(
      `Cannot use the connection option "${name}": it must be ${wanted}, not ${value === null ? "null" : typeof value}`,
    );
  }
  if (typeof connection.proxy === "string") checkProxy(connection.proxy, secrets);
}

function checkProxy(proxy: string, secrets: SecretStore): void {
  // Without this test `localhost:3128` would have the scheme `localhost`.
  const url = /^[a-z\d+.-]+:\/\//i.test(proxy) && URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url === undefined) {
    throw new UnsendableRequestError(
      "Cannot use the proxy: it is not a URL, such as http://127.0.0.1:3128",
    );
  }
  if (url.password !== "") secrets.hide(decodePercent(url.password));
  if (/^https?:$/.test(url.protocol)) return;
  throw new UnsendableRequestError(
    `Cannot use the proxy: the scheme "${url.protocol.slice(0, -1)}" is not supported; use http or https`,
  );
}

/** What a PEM text must contain for an option (RFC 7468, 5 and 10). */
const CERTIFICATE = { label: /-----BEGIN (?:\w+ )?CERTIFICATE-----/, what: "certificate" } as const;
const PRIVATE_KEY = { label: /-----BEGIN [A-Z ]*PRIVATE KEY-----/, what: "private key" } as const;

/**
 * Reads a PEM text; text that is not PEM is a path.
 *
 * @throws {UnsendableRequestError} It cannot be read, or does not contain what is wanted. No content is quoted.
 */
async function readPem(text: string, option: string, files: FileAccess): Promise<string> {
  const name = `connection.${option}`;
  const isPath = !text.includes("-----BEGIN ");
  const bytes = isPath ? await readSource(text, files, name) : undefined;
  const pem = bytes === undefined ? text : new TextDecoder().decode(bytes);
  const wanted = option === "clientCertificate.key" ? PRIVATE_KEY : CERTIFICATE;
  if (wanted.label.test(pem)) return pem;
  const place = isPath ? `"${text}"` : "the text";
  const found = bytes === undefined ? undefined : derOf(bytes, text);
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z ]{1,40})-----/g)].map(([, label]) => label);
  const instead = labels.length === 0 ? "" : `, but ${labels.join(", ")}`;
  const why = found ?? `${place} contains no ${wanted.what} in PEM${instead}`;
  throw new UnsendableRequestError(`Cannot use ${name}: ${why}`);
}

/** Says how to convert DER (X.690), the form of PEM without Base64; `undefined` for other bytes. */
function derOf(bytes: Uint8Array, path: string): string | undefined {
  // A sequence with a length of several bytes; then another sequence, or a version.
  const lengthBytes = bytes[0] === 0x30 && Number(bytes[1]) > 0x80 ? Number(bytes[1]) - 0x80 : 0;
  if (lengthBytes === 0) return undefined;
  const start = bytes.subarray(2 + lengthBytes, 5 + lengthBytes);
  const isVersion = start[0] === 2 && start[1] === 1;
  if (isVersion && start[2] === 3) {
    return `"${path}" is PKCS #12, not PEM; give it as connection.clientCertificate.pfx`;
  }
  const command = isVersion ? "pkey" : "x509";
  return `"${path}" is DER, not PEM; convert it: openssl ${command} -inform DER -in ${path} -out PEM_FILE`;
}
