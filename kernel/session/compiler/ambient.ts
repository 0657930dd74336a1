import { join } from "node:path";
import type ts from "typescript";
import { libraryParts } from "./compiler-options.ts";
import type { Compiler } from "./load-compiler.ts";
import type { NodeTypes } from "./module-resolution.ts";
import type { ProgramFiles } from "./program-files.ts";

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
  /** Writes the declarations of the responses to named requests. */
  readonly responseTypes: () => string;
  readonly nodeTypes: NodeTypes | undefined;
}

/** The parts of the language's library, each of which takes some 50 ms to read. */
const LANGUAGE = libraryParts();
/** What no cell can do without: ECMAScript 5, as the compiler divides it. */
const LEAST = 1;
/** Then come the rest of the language, the globals of the web, and restlab with its globals. */
const USUAL = LANGUAGE.length + 2;
/** Last come all types of Node, and whatever else the runtime has. */
const ALL = USUAL + 1;

/**
 * The types that cells know, whatever folder they run in. They are read in parts: a cell in which nothing is amiss
 * with those that have been read needs no others.
 */
export class Ambient {
  /** How many parts have been read. */
  parts = 0;
  /** The files of the language's library. */
  lib: string[] = [];
  /** All other files, by absolute path. */
  files: readonly string[] = [];
  readonly #compiler: Compiler;
  readonly #written: ProgramFiles;
  readonly #nodeTypes: NodeTypes | undefined;
  readonly #missingFile: string;
  readonly #responsesFile: string;
  readonly #own: readonly string[];
  readonly #late: Map<string, LateTypes>;
  readonly #responseTypes: () => string;
  #mentionsResponses = false;

  constructor(
    compiler: Compiler,
    files: ProgramFiles,
    { directory, libraryTypes, globalTypes, lateTypes, responseTypes, nodeTypes }: AmbientOptions,
  ) {
    const fileNamed = (name: string): string => join(directory, `__restlab${name}__.d.ts`);
    this.#compiler = compiler;
    this.#written = files;
    this.#nodeTypes = nodeTypes;
    this.#responseTypes = responseTypes;
    this.#missingFile = fileNamed("_missing");
    this.#responsesFile = fileNamed("_responses");
    this.#late = new Map(lateTypes.map((one) => [fileNamed(`_${one.name}`), one]));
    const client = libraryTypes === undefined ? "type Client = any;\n" : TYPED_CLIENT;
    const globals = inGlobal(`  const client: Client;\n${globalTypes}\n`);
    const texts = new Map([
      [fileNamed(""), `${client}${globals}`],
      [this.#missingFile, "export {};\n"],
      [this.#responsesFile, inGlobal("  interface RestlabResponses { [name: string]: any }\n")],
    ]);
    if (libraryTypes === undefined) texts.set(fileNamed("_untyped"), 'declare module "restlab";\n');
    for (const [path, { name }] of this.#late) {
      texts.set(path, inGlobal(`  const ${name}: any;\n`));
    }
    for (const [path, text] of texts) files.write(path, text);
    this.#own = [...texts.keys()];
  }

  /** Whether all parts have been read. */
  get isWhole(): boolean {
    return this.parts === ALL;
  }

  /**
   * Reads the next part of what most cells need, or all that no cell can do without.
   *
   * @returns Whether something is left to be read.
   */
  readNext(isUrgent: boolean): boolean {
    const wanted = isUrgent ? LEAST : USUAL;
    if (this.parts < wanted) this.#read(isUrgent ? wanted : this.parts + 1);
    return this.parts < wanted;
  }

  /**
   * Reads more than most cells need.
   *
   * @returns Whether there was more.
   */
  readMore(): boolean {
    if (this.isWhole) return false;
    this.#read(this.parts < USUAL ? USUAL : ALL);
    return true;
  }

  /** Reads what most cells need. */
  readUsual(): void {
    if (this.parts < USUAL) this.#read(USUAL);
  }

  /** Reads all types, but for what {@link declareMissing} adds. */
  readAll(): void {
    if (!this.isWhole) this.#read(ALL);
  }

  #read(parts: number): void {
    this.parts = parts;
    const { near = [], files = () => [] } = this.#nodeTypes ?? {};
    this.lib = LANGUAGE.slice(0, parts).flat();
    this.files = [
      // The compiler reads no library for a program without files.
      this.#missingFile,
      ...(parts > LANGUAGE.length ? near : []),
      ...(parts >= USUAL ? this.#own : []),
      ...(this.isWhole ? files() : []),
    ];
  }

  /**
   * Declares what a cell mentions and no cell before it has; and the responses so far, from the first cell on that
   * mentions them: each response makes another program, which other cells need not wait for.
   */
  declareMentioned(source: string): void {
    this.#mentionsResponses ||= mentions(source, "responses");
    if (this.#mentionsResponses) {
      this.#written.write(this.#responsesFile, inGlobal(this.#responseTypes()));
    }
    for (const [path, { name, declare }] of this.#late) {
      if (!mentions(source, name)) continue;
      this.#late.delete(path);
      const declaration = declare();
      if (declaration !== undefined) this.#written.write(path, declaration);
    }
  }

  /** Declares, loosely, what the runtime has and the declarations lack. */
  declareMissing(program: ts.Program): void {
    const declarations = declareMissing(this.#compiler, program, this.#missingFile);
    this.#written.write(this.#missingFile, inGlobal(declarations));
  }
}

/** Whether a cell mentions a name, even in a comment. */
export function mentions(source: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(source);
}

/** Messages of the compiler call it `Client`, as a person does. */
const TYPED_CLIENT = `interface Client extends Omit<import("restlab").Client, "responses"> {
  readonly responses: RestlabResponses;
}
// Exploring a response must not need casts.
declare module "restlab" {
  interface RestlabTypes {
    readonly untyped: any;
  }
}
`;

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
  for (const name of globalNames()) {
    const symbol = declared.get(name);
    if (symbol === undefined) lines.push(`var ${name}: any;`);
    else if (isOfLanguage(program, symbol)) lines.push(...missingMembers(checker, symbol));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The names of the running runtime's globals, but for events of browsers and what no cell can write. */
export function globalNames(): readonly string[] {
  const names = Object.getOwnPropertyNames(globalThis);
  return names.filter((name) => /^(?!on[a-z])[A-Za-z$][\w$]*$/.test(name));
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
