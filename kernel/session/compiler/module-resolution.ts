import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import type ts from "typescript";
import { findBrought } from "../../platform/mod.ts";
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
  /** The declarations that a cell's import leads to, those of built-in modules included. */
  resolveTypes(
    name: string,
    cell: string,
    mode: ts.ResolutionMode,
  ): ts.ResolvedModuleFull | undefined;
  /** Whether a file is one of the types of Node, whose imports may have been left out. */
  hasLeftOut(path: string): boolean;
  /** Whether a file has an import that led nowhere: what is missing may be there when the next cell runs. */
  hasUnresolved(): boolean;
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
  /** The compiler asks this of every host, and does not declare it. */
  hasInvalidatedResolutions(path: string): boolean;
};

/** What names lead to beside the files of the user's folder. */
interface ResolutionOptions {
  readonly files: ProgramFiles;
  readonly options: ts.CompilerOptions;
  /** Module names that lead to a file of this package whatever the folder contains. */
  readonly modules: ReadonlyMap<string, string>;
  /** The types of Node; they replace those of the user's folder. */
  readonly nodeTypes: NodeTypes | undefined;
  /** Whether the imports of the types of Node are followed; until then most of what they lead to is `any`. */
  readonly isWhole: () => boolean;
}

/** Bun calls these built-in; they are packages with types all the same. */
const PACKAGES_OF_BUN: ReadonlySet<string> = new Set(["undici", "ws"]);

const isBuiltinModule = (name: string): boolean => isBuiltin(name) && !PACKAGES_OF_BUN.has(name);

/** Creates the resolution of the imports of cells, and of what they import. */
export function createModuleResolution(
  compiler: Compiler,
  given: ResolutionOptions,
): ModuleResolution {
  const { files, options, modules } = given;
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
    const { resolvedModule } = compiler.resolveModuleName(
      name,
      containingFile,
      options,
      host,
      undefined,
      undefined,
      mode,
    );
    return resolvedModule;
  }

  /** Files with imports that led nowhere when a program last asked. */
  const unresolved = new Set<string>();
  return {
    resolve,
    hooks: createHooks(compiler, host, resolve, unresolved, given),
    resolveTypes: (name, cell, mode) =>
      isBuiltinModule(name)
        ? toDeclarations(given.nodeTypes?.fileOf(name, cell))
        : resolve(name, cell, mode),
    hasLeftOut: (path) => !given.isWhole() && given.nodeTypes?.has(path) === true,
    hasUnresolved: () => [...unresolved].some((path) => !files.isFixed(path)),
    resolveImport: (name, containingFile) => {
      const chosen = { ...options, noDtsResolution: true };
      const { resolvedModule } = compiler.resolveModuleName(name, containingFile, chosen, host);
      return resolvedModule?.resolvedFileName;
    },
  };
}

const toDeclarations = (file: string | undefined): ts.ResolvedModuleFull | undefined =>
  file === undefined
    ? undefined
    : { resolvedFileName: file, extension: ".d.ts", isExternalLibraryImport: true };

function createHooks(
  compiler: Compiler,
  host: ts.ModuleResolutionHost,
  resolve: ModuleResolution["resolve"],
  unresolved: Set<string>,
  { files, options, nodeTypes, isWhole }: ResolutionOptions,
): ResolutionHooks {
  /** Their types are declared by name, in files that are read when a module imports them. */
  function resolveBuiltin(
    { text, parent }: ts.StringLiteralLike,
    containingFile: string,
  ): ts.ResolvedModuleFull | undefined {
    const isOfNode = nodeTypes?.has(containingFile) === true;
    // The type of `process.getBuiltinModule` names all modules; they need not be read for it.
    if (isOfNode && compiler.isLiteralTypeNode(parent)) return undefined;
    const file = nodeTypes?.fileOf(text, containingFile);
    const isLeftOut = isOfNode && !isWhole() && !nodeTypes.near.includes(file ?? "");
    return isLeftOut ? undefined : toDeclarations(file);
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
        const resolvedFileName = name === "node" ? nodeTypes?.near[0] : undefined;
        // Every program has Node's globals, and what else a file needs it imports.
        if (resolvedFileName !== undefined) {
          return { resolvedTypeReferenceDirective: { resolvedFileName, primary: true } };
        }
        return compiler.resolveTypeReferenceDirective(name, containingFile, options, host);
      }),
    // A file with an import that led nowhere is asked again: the missing file may be there now.
    hasInvalidatedResolutions: (path) => unresolved.has(path) && !files.isFixed(path),
  };
}

/** The types of Node, of which half are of modules that few cells import. */
export interface NodeTypes {
  /** Those that declare the globals of the web. */
  readonly near: readonly string[];
  /** All files that declare globals, and those that they import; it takes a while to find them. */
  readonly files: () => readonly string[];
  /**
   * The file to read for a built-in module.
   *
   * @param importing The file that imports it.
   */
  fileOf(name: string, importing: string): string | undefined;
  /** Whether a file is one of them, or of the types of fetch that they rest on. */
  has(path: string): boolean;
}

/**
 * What a cell needs that talks to a server. They lack no name, but for the modules that they import beside each other:
 * few cells come upon one of those.
 */
const NEAR: readonly string[] = [
  ...["globals", "globals.typedarray", "buffer.buffer", "buffer", "console", "events", "process"],
  ...[
    "timers",
    "timers/promises",
    "url",
    "compatibility/disposable",
    "compatibility/indexable",
    "compatibility/iterators",
    "stream/web",
    "web-globals/abortcontroller",
  ],
  ...["web-globals/domexception", "web-globals/events", "web-globals/fetch"],
];

/**
 * Finds the types of Node that belong to this package: those in the user's folder may be of another
 * version, and after hoisting there may be none.
 */
export function findNodeTypes(compiler: Compiler): NodeTypes | undefined {
  try {
    return createNodeTypes(compiler, findBrought("@types/node/index.d.ts"));
  } catch {
    return undefined; // They are not installed: cells see Node's globals untyped.
  }
}

function createNodeTypes(compiler: Compiler, index: string): NodeTypes {
  const folder = dirname(index);
  const fileNamed = (name: string): string | undefined => {
    const file = join(folder, `${name.replace(/^node:/, "")}.d.ts`);
    return existsSync(file) ? file : undefined;
  };
  const findAll = (): readonly string[] => {
    const { referencedFiles } = compiler.preProcessFile(readFileSync(index, "utf8"), false);
    const files = new Set<string>();
    for (const { fileName } of referencedFiles) {
      const file = join(folder, fileName);
      if (declaresGlobals(readFileSync(file, "utf8"))) files.add(file);
    }
    // What is added while this runs is looked at as well.
    for (const file of files) {
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(IMPORTED)) {
        const imported = fileNamed(name);
        if (imported !== undefined) files.add(imported);
      }
    }
    return [...files];
  };
  const near = NEAR.map((name) => join(folder, `${name}.d.ts`)).filter((file) => existsSync(file));
  const has = (path: string): boolean =>
    path.startsWith(`${folder}/`) || path.includes("/undici-types/");
  return {
    near,
    files: findAll,
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
