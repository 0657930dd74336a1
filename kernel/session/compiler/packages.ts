import { createRequire, isBuiltin } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { requireModule } from "../../platform/mod.ts";

/** Loads npm packages and built-in modules for cells, CommonJS or not. */
export interface PackageLoader {
  /** Loads what `require` cannot: modules that await at their top level. */
  prepare(
    names: readonly string[],
    directory: string,
  ): Promise<{ readonly thrown: unknown } | undefined>;
  require(name: string, from: string): unknown;
}

/** Finds the JavaScript that a name leads to where it is imported. */
type ResolveImport = (name: string, from: string) => string | undefined;

/** A package loader with a memory of the modules that had to be awaited. */
export function createPackageLoader(resolveImport: ResolveImport): PackageLoader {
  const awaited = new Map<string, unknown>();

  /** `require` cannot resolve packages that only have exports for `import`. */
  function find(name: string, from: string): string | undefined {
    try {
      return createRequire(from).resolve(name);
    } catch {
      return isBuiltin(name) ? undefined : resolveImport(name, from);
    }
  }

  async function prepareOne(name: string, from: string): Promise<void> {
    const path = find(name, from);
    if (path === undefined || awaited.has(path) || !isAbsolute(path)) return;
    try {
      requireModule(path, from);
    } catch (error) {
      // Some packages have another file for `import`, and throw in that for `require`.
      const imported = mustBeAwaited(error) ? path : resolveImport(name, from);
      if (imported === undefined || (imported === path && !mustBeAwaited(error))) return;
      awaited.set(path, await import(pathToFileURL(imported).href));
    }
  }

  return {
    prepare: async (names, directory) => {
      try {
        for (const name of names) {
          if (!isBuiltin(name)) await prepareOne(name, join(directory, "__restlab_cell__.ts"));
        }
        return undefined;
      } catch (error) {
        return { thrown: error };
      }
    },
    require: (name, from) => {
      const path = find(name, from) ?? name;
      return awaited.has(path) ? awaited.get(path) : requireModule(path, from);
    },
  };
}

/** Bun gives the error no code. */
function mustBeAwaited(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === "ERR_REQUIRE_ASYNC_MODULE" || /async|top-level await/i.test(String(message));
}
