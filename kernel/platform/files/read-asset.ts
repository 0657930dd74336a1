import { readFile } from "node:fs/promises";

/**
 * Reads a file of the package.
 *
 * @param url `new URL("./file", import.meta.url)`, which the build recognizes.
 */
export async function readAsset(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  // Deno may run the sources from JSR, over HTTPS.
  const isLocal = url.protocol === "file:";
  return new Uint8Array(await (isLocal ? readFile(url) : (await fetch(url)).arrayBuffer()));
}
