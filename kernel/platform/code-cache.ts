import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import * as nodeModule from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
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

interface CompiledModule {
  readonly script: Script;
  /** Of the source. */
  readonly checksum: number;
  readonly isFromCache: boolean;
}

/** Two checksums, of the source and of the code. */
const HEADER = 8;

/**
 * Loads a CommonJS module of many megabytes.
 *
 * Node 20 has no compile cache of its own: there the compiled code is cached in a folder of the user. The
 * other runtimes cache what they load ({@link keepCompiledCode}).
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
  const file = join(folder, `${basename(path)}-${cachedDataVersionTag().toString(16)}.code`);
  const { script, checksum, isFromCache } = compile(path, file);
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
      if (!isKept) writeCode(file, checksum, script.createCachedData());
      isKept = true;
    },
  };
}

/** Nothing waits in here, so that three texts of many megabytes are soon freed. */
function compile(path: string, file: string): CompiledModule {
  const bytes = readFileSync(path);
  const checksum = crc32(bytes);
  const cachedData = readCode(file, checksum);
  const source = `(function (exports, require, module, __filename, __dirname) {${bytes}\n})`;
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
  const isFromCache = cachedData !== undefined && script.cachedDataRejected !== true;
  return { script, checksum, isFromCache };
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

/** The code of a file that only this user can have written, if it is whole: V8 trusts what it is given. */
function readCode(file: string, checksum: number): Buffer | undefined {
  try {
    const descriptor = openSync(file, "r");
    try {
      const { uid, mode } = fstatSync(descriptor);
      if ((process.getuid !== undefined && uid !== process.getuid()) || (mode & 0o022) !== 0)
        return undefined;
      const bytes = readFileSync(descriptor);
      const code = bytes.subarray(HEADER);
      const isWhole = bytes.readUInt32LE(0) === checksum && bytes.readUInt32LE(4) === crc32(code);
      return isWhole ? code : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined; // There is none, or none that can be read: the code is compiled again.
  }
}

function writeCode(file: string, checksum: number, code: Buffer): void {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(checksum, 0);
  header.writeUInt32LE(crc32(code), 4);
  const draft = draftName(file);
  try {
    makeFolder(dirname(file), 0o700);
    writeFileSync(draft, Buffer.concat([header, code]), { flag: "wx", mode: 0o600 });
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
