import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/**
 * Loads a package or a built-in module at once, CommonJS or not.
 *
 * @param from The file or URL from which it is looked for.
 */
export function requireModule(name: string, from: string): unknown {
  return createRequire(from)(name);
}

/**
 * Finds a file of a package that the build has brought along; from the sources it is the installed one.
 *
 * @param path The name of the package, and the path of the file in it.
 */
export function findBrought(path: string): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(`../node_modules/${path}`);
  } catch {
    return resolve(path);
  }
}

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
