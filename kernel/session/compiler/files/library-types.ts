import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Finds the declarations of the library: built ones, which the compiler reads sooner than
 * the sources. Without any, from JSR for example, cells see the library untyped.
 */
export function findLibraryTypes(): string | undefined {
  if (!import.meta.url.startsWith("file:")) return undefined;
  let folder = dirname(fileURLToPath(import.meta.url));
  // From kernel/session, or from wherever a bundle of it lies, to the root of the package.
  while (!isOurPackage(folder)) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  const path = join(folder, "dist", "lib", "mod.d.ts");
  return existsSync(path) ? path : undefined;
}

function isOurPackage(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name === "restlab";
  } catch {
    return false; // There is none here, or none that is to be read: then it is not ours.
  }
}
