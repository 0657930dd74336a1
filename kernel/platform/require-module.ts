import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import process from "node:process";

/**
 * Loads a package or a built-in module at once, CommonJS or not.
 *
 * @param from The file or URL from which it is looked for.
 */
export function requireModule(name: string, from: string): unknown {
  return quietly(() => createRequire(from)(name));
}

/** Node 20 warns of every `require` of an ES module from outside `node_modules`. */
function quietly<T>(action: () => T): T {
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes("loading ES Module")) return;
    Reflect.apply(original, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return action();
  } finally {
    process.emitWarning = original;
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
