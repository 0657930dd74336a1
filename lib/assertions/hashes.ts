/** The algorithms of predicates, with the length of their digests in bytes. */
export const HASHES: Readonly<Record<string, number>> = { md5: 16, sha256: 32, sha512: 64 };

/**
 * Whether bytes have a digest.
 *
 * @param expected The digest in base64, as in httpYac, or hexadecimal, as other tools print it.
 */
export async function hasDigest(
  algorithm: string,
  bytes: Uint8Array,
  expected: string,
): Promise<{ readonly matches: boolean; readonly actual: string }> {
  // Web Crypto has no MD5.
  const { bytesToHex } = await import("@noble/hashes/utils.js");
  const { sha256, sha512 } = await import("@noble/hashes/sha2.js");
  const { md5 } = await import("@noble/hashes/legacy.js");
  const hash = { sha256, sha512 }[algorithm] ?? md5;
  const digest = hash(bytes);
  const isHex = expected.length === 2 * digest.length;
  const actual = isHex ? bytesToHex(digest) : btoa(String.fromCharCode(...digest));
  return { matches: actual === (isHex ? expected.toLowerCase() : expected), actual };
}
