import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";

const ALGORITHMS = ["md5", "sha1", "sha256", "sha384", "sha512"] as const;

/** The object `crypto` of JetBrains' scripts: their hashes, beside what the runtime's has. */
export function createHandlerCrypto(): Readonly<Record<string, unknown>> {
  const native = globalThis.crypto;
  return {
    ...byAlgorithm((name) => createUpdatable(createHash(name))),
    hmac: byAlgorithm((name) => ({
      withTextSecret: (secret: unknown, encoding?: unknown) =>
        createUpdatable(createHmac(name, bytesOf(secret, encoding))),
      withHexSecret: (secret: unknown) => createUpdatable(createHmac(name, bytesOf(secret, "hex"))),
      withBase64Secret: (secret: unknown, isUrlSafe?: unknown) =>
        createUpdatable(createHmac(name, bytesOf(secret, base64(isUrlSafe)))),
    })),
    subtle: native.subtle,
    randomUUID: () => native.randomUUID(),
    getRandomValues: (array: Uint8Array<ArrayBuffer>) => native.getRandomValues(array),
  };
}

function byAlgorithm(create: (name: string) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(ALGORITHMS.map((name) => [name, () => create(name)]));
}

function createUpdatable(hash: Hash | Hmac): Readonly<Record<string, unknown>> {
  const update = (value: unknown, encoding?: unknown): object => {
    hash.update(bytesOf(value, encoding));
    return updatable;
  };
  const updatable = {
    updateWithText: update,
    updateWithHex: (value: unknown) => update(value, "hex"),
    updateWithBase64: (value: unknown, isUrlSafe?: unknown) => update(value, base64(isUrlSafe)),
    digest: () => {
      const bytes = hash.digest();
      return {
        toHex: () => bytes.toString("hex"),
        toBase64: (isUrlSafe?: unknown) => bytes.toString(base64(isUrlSafe)),
      };
    },
  };
  return updatable;
}

const base64 = (isUrlSafe: unknown): BufferEncoding =>
  isUrlSafe === true ? "base64url" : "base64";

/** @throws {TypeError} The encoding is unknown. */
function bytesOf(value: unknown, encoding: unknown = "utf8"): Buffer {
  if (!Buffer.isEncoding(String(encoding))) {
    throw new TypeError(`Cannot read the text: the encoding "${encoding}" is unknown`);
  }
  return Buffer.from(String(value), String(encoding) as BufferEncoding);
}
