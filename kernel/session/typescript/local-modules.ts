import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { runInThisContext } from "node:vm";
import type { Compiler, ResolvedModule } from "../compiler/mod.ts";
import { createPositionMap, guardCode, type PositionMap } from "../compiler/mod.ts";

/** What loads the user's own files for cells. */
export interface LocalModules {
  /** The `require` that code in this file sees. */
  requireFrom(path: string): (name: string) => unknown;
  /** The map of a file that was loaded, by its path. */
  positionMap(path: string): PositionMap | undefined;
}

/** What the loader is made from. */
export interface LocalModulesOptions {
  readonly compiler: Compiler;
  readonly resolve: (name: string, containingFile: string) => ResolvedModule | undefined;
  /** Modules that are running already, by name. */
  readonly running: ReadonlyMap<string, unknown>;
  /** Whether their code is to be one that can be ended from within. */
  readonly isGuarded: boolean;
  /** Loads a package or a built-in module. */
  readonly requirePackage: (name: string, from: string) => unknown;
}

interface Loaded {
  readonly exports: unknown;
  readonly stamp: string;
  readonly imports: Set<string>;
  readonly map?: PositionMap;
}

const SOURCE = /\.[cm]?[jt]sx?$/;

/** Loads local TypeScript, JavaScript and JSON files, again when one of them has changed. */
export function createLocalModules(options: LocalModulesOptions): LocalModules {
  const { compiler, resolve, running, isGuarded, requirePackage } = options;
  const loaded = new Map<string, Loaded>();
  const maps = new Map<string, PositionMap>();

  function requireFrom(from: string, imports = new Set<string>()): (name: string) => unknown {
    const native = createRequire(from);
    const load = (name: string): unknown => {
      if (running.has(name)) return running.get(name);
      if (!isPath(name)) return requirePackage(name, from);
      const target = resolve(name, from);
      const path =
        target === undefined || isDeclaration(target) ? undefined : target.resolvedFileName;
      if (path === undefined || !(SOURCE.test(path) || path.endsWith(".json"))) {
        return native(name);
      }
      imports.add(path);
      return loadFile(path);
    };
    return Object.assign(load, { resolve: native.resolve, cache: native.cache });
  }

  function loadFile(path: string): unknown {
    const known = loaded.get(path);
    if (known !== undefined && isFresh(path)) return known.exports;
    const stamp = stampOf(path);
    const text = readFileSync(path, "utf8");
    if (path.endsWith(".json")) {
      const value: unknown = JSON.parse(text);
      loaded.set(path, { exports: value, stamp, imports: new Set() });
      return value;
    }
    return run(path, stamp, text);
  }

  function run(path: string, stamp: string, text: string): unknown {
    const { outputText, sourceMapText } = compiler.transpileModule(text, {
      fileName: path,
      compilerOptions: {
        module: compiler.ModuleKind.CommonJS,
        target: compiler.ScriptTarget.ES2022,
        esModuleInterop: true,
        experimentalDecorators: true,
        jsx: 2,
        sourceMap: true,
        noImplicitUseStrict: true,
      },
    });
    const guarded = isGuarded ? guardCode(compiler, outputText) : undefined;
    const source = createPositionMap(compiler, sourceMapText ?? "");
    const map: PositionMap = (at) => source(guarded?.unguard(at) ?? at);
    maps.set(path, map);
    const module = { exports: {} as unknown, filename: path, id: path };
    const imports = new Set<string>();
    // A circle of imports meets the unfinished exports, as everywhere in CommonJS.
    const entry = { exports: module.exports, stamp, imports, map };
    loaded.set(path, entry);
    try {
      const evaluate: (...parameters: unknown[]) => void = runInThisContext(
        // On the first line, so that the lines of a trace are those of the source map.
        `(function (exports, require, module, __filename, __dirname) {${guarded?.text ?? outputText}\n})`,
        { filename: path },
      );
      evaluate(module.exports, requireFrom(path, imports), module, path, dirname(path));
    } catch (error) {
      loaded.delete(path);
      throw error;
    }
    loaded.set(path, { ...entry, exports: module.exports });
    return module.exports;
  }

  function isFresh(path: string, seen = new Set<string>()): boolean {
    const entry = loaded.get(path);
    if (entry === undefined || entry.stamp !== stampOf(path)) return false;
    seen.add(path);
    return [...entry.imports].every((next) => seen.has(next) || isFresh(next, seen));
  }

  return { requireFrom: (path) => requireFrom(path), positionMap: (path) => maps.get(path) };
}

const isPath = (name: string): boolean => /^(\.{1,2}(\/|$)|\/|[A-Za-z]:[\\/])/.test(name);

const isDeclaration = ({ resolvedFileName }: ResolvedModule): boolean =>
  /\.d\.[cm]?ts$/.test(resolvedFileName);

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "missing" : `${stat.mtimeMs}:${stat.size}`;
}
