import { existsSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import type ts from "typescript";
import type { Compiler } from "./load-compiler.ts";
import type { ProgramFiles } from "./program-files.ts";

/** Resolves the names in imports to files. */
export interface ModuleResolution {
  /** The file that a name leads to, declarations before JavaScript. */
  resolve(
    name: string,
    containingFile: string,
    mode?: ts.ResolutionMode,
  ): ts.ResolvedModuleFull | undefined;
  /** The JavaScript that a package's name leads to where it is imported, not required. */
  resolveImport(name: string, containingFile: string): string | undefined;
  /** What the compiler asks its host. */
  readonly hooks: ResolutionHooks;
}

type ResolutionHooks = Required<
  Pick<
    ts.LanguageServiceHost,
    "resolveModuleNameLiterals" | "resolveTypeReferenceDirectiveReferences"
  >
> & {
  /** The compiler asks this of every host, and does not declare it; nor the next. */
  hasInvalidatedResolutions(path: string): boolean;
  /** Where it remembers the `package.json` of declarations, which it reads again for every cell otherwise. */
  getModuleResolutionCache(): ts.ModuleResolutionCache;
};

/** What names lead to beside the files of the user's folder. */
interface ResolutionOptions {
  readonly files: ProgramFiles;
  readonly options: ts.CompilerOptions;
  /** Module names that lead to a file of this package whatever the folder contains. */
  readonly modules: ReadonlyMap<string, string>;
  /** The types of Node; they replace those of the user's folder. */
  readonly nodeTypes: NodeTypes | undefined;
  /** Whether all types that cells know have been read; until then their imports are not followed. */
  readonly areTypesRead: () => boolean;
}

/** Bun calls these built-in; they are packages with types all the same. */
const PACKAGES_OF_BUN: ReadonlySet<string> = new Set(["undici", "ws"]);

const isBuiltinModule = (name: string): boolean => isBuiltin(name) && !PACKAGES_OF_BUN.has(name);

/** Creates a resolution that remembers its results as long as the files exist. */
export function createModuleResolution(
  compiler: Compiler,
  given: ResolutionOptions,
): ModuleResolution {
  const { files, options, modules } = given;
  const found = new Map<string, ts.ResolvedModuleFull>();
  const host: ts.ModuleResolutionHost = {
    ...compiler.sys,
    fileExists: files.exists,
    readFile: files.read,
  };

  function resolve(
    name: string,
    containingFile: string,
    mode?: ts.ResolutionMode,
  ): ts.ResolvedModuleFull | undefined {
    const own = modules.get(name);
    if (own !== undefined) {
      return { resolvedFileName: own, extension: ".d.ts", isExternalLibraryImport: true };
    }
    // No package goes before them.
    if (isBuiltinModule(name)) return undefined;
    const key = `${dirname(containingFile)}\0${name}\0${mode ?? ""}`;
    const known = found.get(key);
    if (known !== undefined && files.exists(known.resolvedFileName)) return known;
    const { resolvedModule } = compiler.resolveModuleName(
      name,
      containingFile,
      options,
      host,
      undefined,
      undefined,
      mode,
    );
    if (resolvedModule !== undefined) found.set(key, resolvedModule);
    return resolvedModule;
  }

  return {
    resolve,
    hooks: createHooks(compiler, host, resolve, given),
    resolveImport: (name, containingFile) => {
      const chosen = { ...options, noDtsResolution: true };
      const { resolvedModule } = compiler.resolveModuleName(name, containingFile, chosen, host);
      return resolvedModule?.resolvedFileName;
    },
  };
}

function createHooks(
  compiler: Compiler,
  host: ts.ModuleResolutionHost,
  resolve: ModuleResolution["resolve"],
  { files, options, nodeTypes, areTypesRead }: ResolutionOptions,
): ResolutionHooks {
  /** Files with imports that led nowhere when a program last asked. */
  const unresolved = new Set<string>();
  const cache = compiler.createModuleResolutionCache("/", (path) => path, options);

  /** Their types are declared by name, in files that are read when a module imports them. */
  function resolveBuiltin(
    { text, parent }: ts.StringLiteralLike,
    containingFile: string,
  ): ts.ResolvedModuleFull | undefined {
    if (!areTypesRead()) return undefined;
    // The type of `process.getBuiltinModule` names all modules; they need not be read for it.
    const isMentioned = nodeTypes?.has(containingFile) && compiler.isLiteralTypeNode(parent);
    const file = isMentioned ? undefined : nodeTypes?.fileOf(text, containingFile);
    return file === undefined
      ? undefined
      : { resolvedFileName: file, extension: ".d.ts", isExternalLibraryImport: true };
  }

  return {
    resolveModuleNameLiterals: (literals, containingFile, _redirect, chosen, file) => {
      const resolved = literals.map((literal) => {
        if (isBuiltinModule(literal.text)) return resolveBuiltin(literal, containingFile);
        const mode = compiler.getModeForUsageLocation(file, literal, chosen);
        return resolve(literal.text, containingFile, mode);
      });
      const isWhole = literals.every(
        ({ text }, index) => resolved[index] !== undefined || isBuiltin(text),
      );
      if (isWhole) unresolved.delete(containingFile);
      else unresolved.add(containingFile);
      return resolved.map((resolvedModule) => ({ resolvedModule }));
    },
    resolveTypeReferenceDirectiveReferences: (references, containingFile) =>
      references.map((reference) => {
        const name = typeof reference === "string" ? reference : reference.fileName;
        const resolvedFileName = name === "node" ? nodeTypes?.files[0] : undefined;
        // Every program has Node's globals, and what else a file needs it imports.
        if (resolvedFileName !== undefined) {
          return { resolvedTypeReferenceDirective: { resolvedFileName, primary: true } };
        }
        return compiler.resolveTypeReferenceDirective(name, containingFile, options, host);
      }),
    // A file with an import that led nowhere is asked again: the missing file may be there now.
    getModuleResolutionCache: () => cache,
    hasInvalidatedResolutions: (path) => unresolved.has(path) && !files.isFixed(path),
  };
}

/** The types of Node, of which half are of modules that few cells import. */
export interface NodeTypes {
  /** The files that declare globals, and those that they import. */
  readonly files: readonly string[];
  /**
   * The file to read for a built-in module.
   *
   * @param importing The file that imports it.
   */
  fileOf(name: string, importing: string): string | undefined;
  /** Whether a file is one of them. */
  has(path: string): boolean;
}

/**
 * Finds the types of Node that belong to this package: those in the user's folder may be of another
 * version, and after hoisting there may be none.
 */
export function findNodeTypes(compiler: Compiler): NodeTypes | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("@types/node/package.json"));
    const index = indexOf(compiler, folder);
    return index === undefined ? undefined : createNodeTypes(compiler, folder, index);
  } catch {
    return undefined; // They are not installed: cells see Node's globals untyped.
  }
}

/** The index for the version of the compiler. */
function indexOf(compiler: Compiler, folder: string): string | undefined {
  const { resolvedTypeReferenceDirective: found } = compiler.resolveTypeReferenceDirective(
    "node",
    join(folder, "__restlab__.ts"),
    { typeRoots: [dirname(folder)] },
    compiler.sys,
  );
  return found?.resolvedFileName;
}

function createNodeTypes(compiler: Compiler, folder: string, index: string): NodeTypes {
  const fileNamed = (name: string): string | undefined => {
    const file = join(folder, `${name.replace(/^node:/, "")}.d.ts`);
    return existsSync(file) ? file : undefined;
  };
  const { referencedFiles } = compiler.preProcessFile(readFileSync(index, "utf8"), false);
  const files = new Set<string>();
  for (const { fileName } of referencedFiles) {
    const file = join(dirname(index), fileName);
    if (declaresGlobals(readFileSync(file, "utf8"))) files.add(file);
  }
  // What is added while this runs is looked at as well.
  for (const file of files) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(IMPORTED)) {
      const imported = fileNamed(name);
      if (imported !== undefined) files.add(imported);
    }
  }
  const has = (path: string): boolean => path.startsWith(`${folder}/`);
  return {
    files: [...files],
    has,
    // Some modules are declared in a file of another name, which those that import them read anyway.
    fileOf: (name, importing) => fileNamed(name) ?? (has(importing) ? undefined : index),
  };
}

function declaresGlobals(text: string): boolean {
  return !/^declare module ["']/m.test(text) || GLOBALS.test(text);
}

const GLOBALS = /^\s*(?:declare )?global \{|^(?:declare (?!module\b)|interface )/m;
/** Examples in comments have single quotes. */
const IMPORTED = /\bfrom "([^"]+)";/g;
