import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { basename, dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { currentRuntime } from "./platform.ts";
import { userFolder } from "./read-file.ts";
import { draftName, makeFolder } from "./write-file.ts";

/** A CommonJS module that was loaded, and whose compiled code may be cached. */
export interface LoadedModule {
  readonly exports: unknown;
  /** Whether its compiled code came from the cache. */
  readonly isFromCache: boolean;
  /** Writes the functions that were compiled by now into the cache, unless they came from there. */
  keepCode(): void;
}

/**
 * Loads a CommonJS module of many megabytes.
 *
 * Node 20 has no compile cache of its own: there the compiled code is cached in a folder of the user, which saves a
 * quarter of the time to the first TypeScript result. The other runtimes cache what they load
 * ({@link keepCompiledCode}).
 *
 * @param path The absolute path of its file.
 * @param environment Without one nothing is cached.
 * @param pause Called between steps of some 50 ms.
 */
export async function loadLargeModule(
  path: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
  pause: () => Promise<void>,
): Promise<LoadedModule> {
  const require = nodeModule.createRequire(path);
  const folder = environment && cacheFolder(environment);
  if (folder === undefined || require.cache[path] !== undefined) {
    return { exports: require(path), isFromCache: false, keepCode: () => undefined };
  }
  const { mtimeMs, size } = statSync(path);
  const parts = [basename(path), size, mtimeMs, cachedDataVersionTag()];
  const file = join(folder, `${parts.join("-")}.code`);
  const { script, isFromCache } = compile(path, file);
  await pause();
  const module = new nodeModule.Module(path);
  // Code that requires it later gets the same one.
  require.cache[path] = module;
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  module.loaded = true;
  let isKept = isFromCache;
  return {
    exports: module.exports,
    isFromCache,
    keepCode: () => {
      if (!isKept) writeCode(file, script.createCachedData());
      isKept = true;
    },
  };
}

/** Nothing waits in here, so that texts of many megabytes are soon freed. */
function compile(
  path: string,
  file: string,
): { readonly script: Script; readonly isFromCache: boolean } {
  const cachedData = existsSync(file) ? readFileSync(file) : undefined;
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path)}\n})`;
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
  return { script, isFromCache: cachedData !== undefined && script.cachedDataRejected !== true };
}

/** Where the runtime caches nothing by itself. */
function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { name } = currentRuntime();
  if (name !== "node" || "enableCompileCache" in nodeModule) return undefined;
  if (environment["NODE_DISABLE_COMPILE_CACHE"]) return undefined;
  const folder = userFolder("cache", environment);
  return folder && join(folder, "compiled");
}

/** A process that reads it meanwhile sees the whole code, or none. */
function writeCode(file: string, code: Buffer): void {
  const draft = draftName(file);
  try {
    makeFolder(dirname(file), 0o700);
    writeFileSync(draft, code, { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // A cache that cannot be written is harmless: the code is compiled again.
    if (existsSync(draft)) rmSync(draft, { force: true });
  }
}

/** Bun and Node 22.1 or later have it; Deno caches compiled code by itself. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Makes the runtime cache compiled code, which saves a fifth of a start on Bun, and a tenth of a start
 * with a TypeScript cell on Node. The cache is in a folder of the user: by default all users of a machine
 * share one. `NODE_DISABLE_COMPILE_CACHE` turns it off.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export function keepCompiledCode(
  environment: Readonly<Record<string, string | undefined>>,
  { enableCompileCache }: CompileCache = nodeModule as CompileCache,
): void {
  const folder = enableCompileCache && userFolder("cache", environment);
  // A cache that cannot be written is harmless: the code is compiled again.
  if (folder !== undefined) enableCompileCache?.(join(folder, "compiled"));
}
