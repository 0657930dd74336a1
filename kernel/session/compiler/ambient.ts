import { join } from "node:path";
import type ts from "typescript";
import type { Compiler } from "./load-compiler.ts";
import type { NodeTypes } from "./module-resolution.ts";
import type { ProgramFiles } from "./program-files.ts";

/** What is part of every cell's program beside the cell. */
export interface Ambient {
  /** Files that belong to every program, by absolute path, in parts that take some 50 ms to read. */
  readonly parts: readonly (readonly string[])[];
  /** Declares, loosely, what the runtime has and the declarations lack. */
  declareMissing(program: ts.Program): void;
  /** Replaces what is declared of the answers of named requests. */
  declareResponses(declaration: string): void;
  /** Declares what a cell mentions and no cell before it has. */
  declareMentioned(source: string): void;
}

/** The types of a global that take long to read, and that few cells need. */
export interface LateTypes {
  /** The name of the global; its type is `any` until a cell mentions it. */
  readonly name: string;
  /** Writes the declarations, as a module; without any the type stays `any`. */
  readonly declare: () => string | undefined;
}

/** What cells know, whatever folder they run in. */
export interface AmbientOptions {
  /** The folder that the cells' imports start from. */
  readonly directory: string;
  /** Where the declarations of `restlab` are; without them cells see it untyped. */
  readonly libraryTypes: string | undefined;
  /** Declarations of names that cells see, as they stand in `declare global`. */
  readonly globalTypes: string;
  readonly lateTypes: readonly LateTypes[];
  readonly nodeTypes: NodeTypes | undefined;
}

/** Gathers the types that cells know, whatever folder they run in: those of the runtime and of restlab. */
export function createAmbient(
  compiler: Compiler,
  files: ProgramFiles,
  { directory, libraryTypes, globalTypes, lateTypes, nodeTypes }: AmbientOptions,
): Ambient {
  const typesFile = join(directory, "__restlab__.d.ts");
  const missingFile = join(directory, "__restlab_missing__.d.ts");
  const responsesFile = join(directory, "__restlab_responses__.d.ts");
  const untypedFile = join(directory, "__restlab_untyped__.d.ts");
  const client = libraryTypes === undefined ? "any" : TYPED_CLIENT;
  files.write(typesFile, inGlobal(`  const client: ${client};\n${globalTypes}\n`));
  files.write(missingFile, "export {};\n");
  files.write(responsesFile, inGlobal("  interface RestlabResponses {}\n"));
  const own = [typesFile, missingFile, responsesFile];
  if (libraryTypes === undefined) {
    files.write(untypedFile, 'declare module "restlab";\n');
    own.push(untypedFile);
  }
  const late = new Map(
    lateTypes.map((one) => [join(directory, `__restlab_${one.name}__.d.ts`), one]),
  );
  for (const [path, { name }] of late) {
    files.write(path, inGlobal(`  const ${name}: any;\n`));
    own.push(path);
  }
  const parts = [own];
  for (let from = 0; from < (nodeTypes?.files.length ?? 0); from += FILES_OF_PART) {
    parts.unshift(nodeTypes?.files.slice(from, from + FILES_OF_PART) ?? []);
  }
  return {
    parts,
    declareMissing: (program) => {
      files.write(missingFile, inGlobal(declareMissing(compiler, program, missingFile)));
    },
    declareMentioned: (source) => {
      for (const [path, { name, declare }] of late) {
        if (!mentions(source, name)) continue;
        late.delete(path);
        const declaration = declare();
        if (declaration !== undefined) files.write(path, declaration);
      }
    },
    declareResponses: (declaration) => files.write(responsesFile, inGlobal(declaration)),
  };
}

/** Whether a cell mentions a name, even in a comment. */
export function mentions(source: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(source);
}

const FILES_OF_PART = 5;

const TYPED_CLIENT =
  'Omit<import("restlab").Client, "responses"> & { readonly responses: RestlabResponses }';

function inGlobal(declarations: string): string {
  return `export {};\ndeclare global {\n${declarations}}\n`;
}

/**
 * Declares as `any` what the running runtime has and no declaration mentions: globals such as `Bun`, and
 * members of the language's own objects that are newer than the compiler.
 *
 * Node's declarations take a global `onmessage` as a sign that the types of browsers are there, and then
 * rely on them alone: names of that kind stay undeclared.
 *
 * @param from A file of the program, from which all globals are seen.
 * @returns Declarations, as they stand in `declare global`.
 */
function declareMissing(compiler: Compiler, program: ts.Program, from: string): string {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(from);
  if (file === undefined) return "";
  const declared = new Map(
    checker.getSymbolsInScope(file, compiler.SymbolFlags.Value).map((it) => [it.name, it]),
  );
  const lines: string[] = [];
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const symbol = declared.get(name);
    if (symbol !== undefined) {
      if (isOfLanguage(program, symbol)) lines.push(...missingMembers(checker, symbol));
    } else if (/^(?!on[a-z])[A-Za-z$][\w$]*$/.test(name)) lines.push(`var ${name}: any;`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function isOfLanguage(program: ts.Program, { declarations = [] }: ts.Symbol): boolean {
  return declarations.some((it) => program.isSourceFileDefaultLibrary(it.getSourceFile()));
}

/** Everything inherits their members, the old and odd ones too. */
const ROOTS = new Set(["Object", "Function"]);

function missingMembers(checker: ts.TypeChecker, symbol: ts.Symbol): string[] {
  const value: unknown = Reflect.get(globalThis, symbol.name);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return [];
  const type = checker.getTypeOfSymbol(symbol);
  const lines = loosely(type, value);
  const { prototype } = value as { prototype?: unknown };
  if (typeof prototype !== "object" || prototype === null || ROOTS.has(symbol.name)) return lines;
  return [...lines, ...loosely(checker.getDeclaredTypeOfSymbol(symbol), prototype)];
}

/** An interface is open: what it lacks can be added to it. */
function loosely(type: ts.Type, value: object): string[] {
  const { symbol } = type as { symbol?: ts.Symbol };
  if (symbol === undefined || !type.isClassOrInterface()) return [];
  const missing = Object.getOwnPropertyNames(value).filter(
    (name) => /^[A-Za-z]\w*$/.test(name) && !OF_FUNCTIONS.has(name) && !type.getProperty(name),
  );
  if (missing.length === 0) return [];
  return [`interface ${symbol.name} { ${missing.map((name) => `${name}: any;`).join(" ")} }`];
}

const OF_FUNCTIONS = new Set(["arguments", "caller", "constructor", "length", "name", "prototype"]);
