import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** Loads npm packages and built-in modules for cells, CommonJS or not. */
export interface PackageLoader {
  /** Loads what `require` cannot: modules that await at their top level. */
  prepare(
    names: readonly string[],
    directory: string,
  ): Promise<{ readonly thrown: unknown } | undefined>;
  require(name: string, from: string): unknown;
}

/** A package loader with a memory of the modules that had to be awaited. */
export function createPackageLoader(): PackageLoader {
  const awaited = new Map<string, unknown>();

  async function prepareOne(name: string, directory: string): Promise<void> {
    const require = createRequire(join(directory, "__tslab__.ts"));
    let path: string;
    try {
      path = require.resolve(name);
    } catch {
      // Whether it is there at all is for the import itself to say.
      return;
    }
    if (awaited.has(path) || !path.startsWith("/")) return;
    try {
      quietly(() => require(path));
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_REQUIRE_ASYNC_MODULE") return;
      awaited.set(path, await import(pathToFileURL(path).href));
    }
  }

  return {
    prepare: async (names, directory) => {
      try {
        for (const name of names) {
          if (/^[\w@]/.test(name)) await prepareOne(name, directory);
        }
        return undefined;
      } catch (error) {
        return { thrown: error };
      }
    },
    require: (name, from) => {
      const require = createRequire(from);
      const path = awaited.size > 0 && !name.startsWith("node:") ? require.resolve(name) : name;
      return awaited.has(path) ? awaited.get(path) : quietly(() => require(name));
    },
  };
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
