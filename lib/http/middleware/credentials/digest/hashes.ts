/** An incremental hash. */
export interface RunningHash {
  update(bytes: Uint8Array): void;
  hex(): string;
}

/** The supported algorithms of RFC 7616, the strongest first. */
export const ALGORITHMS: readonly string[] = ["sha-512-256", "sha-256", "md5"];

/** Loads a hash. Web Crypto has neither MD5 nor SHA-512/256. */
export async function loadHash(algorithm: string): Promise<() => RunningHash> {
  const { bytesToHex } = await import("@noble/hashes/utils.js");
  const { sha256, sha512_256 } = await import("@noble/hashes/sha2.js");
  const { md5 } = await import("@noble/hashes/legacy.js");
  const hash = { "sha-512-256": sha512_256, "sha-256": sha256, md5 }[algorithm] ?? md5;
  return () => {
    const running = hash.create();
    return {
      update: (bytes) => void running.update(bytes),
      hex: () => bytesToHex(running.digest()),
    };
  };
}
