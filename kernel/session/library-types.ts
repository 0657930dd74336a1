import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Finds the declarations of the library: built ones, since the compiler under tslab does not read
 * the sources. Without any, from JSR for example, cells see the library untyped.
 */
export function findLibraryTypes(): string | undefined {
  if (!import.meta.url.startsWith("file:")) return undefined;
  let folder = dirname(fileURLToPath(import.meta.url));
  // From kernel/session, or from the folder of a bundle, to the root of the package.
  for (let level = 0; level < 4; level++) {
    const path = join(folder, "dist", "lib", "mod.d.ts");
    if (existsSync(path)) return path;
    folder = dirname(folder);
  }
  return undefined;
}
