import { readFileSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";
import { IMPORT_META } from "../cell/mod.ts";
import { hasTopLevelAwait } from "./cell-syntax.ts";
import { createMetaTransform } from "./cell-transform.ts";
import { commonJsOptions } from "./compiler-options.ts";
import { createPositionMap, guardCode, type PositionMap } from "./guard-code.ts";
import type { Compiler, SourceFile } from "./load-compiler.ts";
import { withNamespaces } from "./module-namespace.ts";
import type { ModuleResolution } from "./module-resolution.ts";

/** What the loader is made from. */
interface LocalModulesOptions {
  readonly compiler: Compiler;
  readonly resolve: ModuleResolution["resolve"];
  /** Modules that are running already, by name. */
  readonly running: ReadonlyMap<string, unknown>;
  /** Whether checks that can end it are put into their code. */
  readonly isGuarded: boolean;
  /** Loads a package or a built-in module. */
  readonly requirePackage: (name: string, from: string) => unknown;
}

interface Loaded {
  readonly exports: unknown;
  readonly stamp: string;
  readonly imports: Set<string>;
}

const SOURCE = /\.[cm]?[jt]sx?$/;

/** Loads local TypeScript, JavaScript and JSON files for cells, again when one of them has changed. */
export class LocalModules {
  readonly #options: LocalModulesOptions;
  readonly #loaded = new Map<string, Loaded>();
  readonly #maps = new Map<string, PositionMap>();

  constructor(options: LocalModulesOptions) {
    this.#options = options;
  }

  /**
   * The `require` that code in a file sees.
   *
   * @param imports Gets the paths of the local files that the code loads.
   */
  requireFrom(from: string, imports: Set<string> = new Set()): (name: string) => unknown {
    const { resolve, running, requirePackage } = this.#options;
    const native = createRequire(from);
    const load = (name: string): unknown => {
      if (running.has(name)) return running.get(name);
      if (!isPath(name)) return requirePackage(name, from);
      const path = resolve(name, from)?.resolvedFileName;
      if (path === undefined || isDeclaration(path)) return native(name);
      if (!SOURCE.test(path) && !path.endsWith(".json")) return native(name);
      imports.add(path);
      return this.#load(path);
    };
    return Object.assign(load, { resolve: native.resolve, cache: native.cache });
  }

  /** The map of a file that was loaded, by its path. */
  positionMap(path: string): PositionMap | undefined {
    return this.#maps.get(path);
  }

  #load(path: string): unknown {
    const known = this.#loaded.get(path);
    if (known !== undefined && this.#isFresh(path)) return known.exports;
    const stamp = stampOf(path);
    const text = readFileSync(path, "utf8");
    if (!path.endsWith(".json")) return this.#run(path, stamp, text);
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    this.#loaded.set(path, { exports: value, stamp, imports: new Set() });
    return value;
  }

  #run(path: string, stamp: string, text: string): unknown {
    const code = this.#translate(path, text);
    const module = { exports: {} as unknown, filename: path, id: path };
    const imports = new Set<string>();
    // A circular import sees the unfinished exports, as everywhere in CommonJS.
    this.#loaded.set(path, { exports: module.exports, stamp, imports });
    try {
      const require = this.requireFrom(path, imports);
      compile(path, code)(module.exports, require, module, path, dirname(path), metaOf(path));
    } catch (error) {
      this.#loaded.delete(path);
      throw error;
    }
    this.#loaded.set(path, { exports: module.exports, stamp, imports });
    return module.exports;
  }

  #translate(path: string, text: string): string {
    const { compiler, isGuarded } = this.#options;
    const languageVersion = compiler.ScriptTarget.ES2024;
    const file = compiler.createSourceFile(path, text, { languageVersion }) as SourceFile;
    if (compiler.isExternalModule(file) && hasTopLevelAwait(compiler, file)) {
      throw new SyntaxError(
        `Cannot import "${path}": it awaits at its top level; export a function that awaits, and call it in the cell`,
      );
    }
    const withoutHashbang = text.replace(/^#!.*/, "");
    const { outputText: translated, sourceMapText = "" } = compiler.transpileModule(
      withoutHashbang,
      {
        // The compiler leaves modules with these extensions as they are, whatever its options say.
        fileName: path.replace(/\.[cm]([jt]s)$/, ".$1"),
        compilerOptions: commonJsOptions(compiler),
        transformers: { before: [createMetaTransform(compiler)] },
      },
    );
    const outputText = withNamespaces(translated);
    const guarded = isGuarded ? guardCode(compiler, outputText) : undefined;
    const source = createPositionMap(compiler, sourceMapText);
    this.#maps.set(path, (at) => source(guarded?.unguard(at) ?? at));
    return guarded?.text ?? outputText;
  }

  #isFresh(path: string, seen = new Set<string>()): boolean {
    const entry = this.#loaded.get(path);
    if (entry === undefined || entry.stamp !== stampOf(path)) return false;
    seen.add(path);
    return [...entry.imports].every((next) => seen.has(next) || this.#isFresh(next, seen));
  }
}

function compile(path: string, code: string): (...parameters: unknown[]) => void {
  try {
    return runInThisContext(
      // On the first line, so that the lines of a trace are those of the source map.
      `(function (exports, require, module, __filename, __dirname, ${IMPORT_META}) {${code}\n})`,
      { filename: path },
    );
  } catch (error) {
    // Its stack has no frame of the file.
    throw new SyntaxError(`Cannot import "${path}": ${(error as Error).message}`);
  }
}

/** The `import.meta` of the code of a file, which may not exist. */
export function metaOf(path: string): object {
  const { resolve } = createRequire(path);
  return {
    url: String(pathToFileURL(path)),
    filename: path,
    dirname: dirname(path),
    resolve: (name: string): string => {
      if (/^\.{0,2}\//.test(name)) return String(new URL(name, pathToFileURL(path)));
      return isBuiltin(name) ? name : String(pathToFileURL(resolve(name)));
    },
  };
}

const isPath = (name: string): boolean => /^(\.{1,2}(\/|$)|\/|[A-Za-z]:[\\/])/.test(name);

const isDeclaration = (path: string): boolean => /\.d\.[cm]?ts$/.test(path);

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "missing" : `${stat.mtimeMs}:${stat.size}`;
}
