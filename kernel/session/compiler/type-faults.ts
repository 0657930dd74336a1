import { readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, relative, resolve } from "node:path";
import { createFault, nearNames } from "../../../lib/interpolation/mod.ts";
import type { Fault, SourceText } from "../../../lib/mod.ts";
import { CLIENT_MEMBERS, requestHint } from "../cell/mod.ts";
import type { Compiler, Diagnostic } from "./load-compiler.ts";

/** Where diagnostics were found. */
interface CheckedText extends SourceText {
  /** The folder that the cell's imports start from. */
  readonly directory: string;
  /** Whether a file is the cell; any other is the user's own. */
  readonly isCell: (file: { readonly fileName: string }) => boolean;
}

/** Turns the compiler's messages into faults of the cell's text. */
export function toFaults(
  compiler: Compiler,
  diagnostics: readonly Diagnostic[],
  { source, firstLine, directory, isCell }: CheckedText,
): readonly Fault[] {
  const cell = { source, firstLine };
  const faults = diagnostics.flatMap((diagnostic) => {
    const { file, start = 0, length = 0, code } = diagnostic;
    if (file === undefined) return [];
    const text = compiler.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
    if (isCell(file)) {
      const message = `${wordsOf(code, text, directory)} (TS${code})`;
      return [createCellFault(cell, start, start + length, message)];
    }
    const name = relative(directory, file.fileName);
    // Files above the folder are someone else's work.
    if (name.startsWith("..")) return [];
    const { line, character } = compiler.getLineAndCharacterOfPosition(file, start);
    const message = `${wordsOf(code, text, dirname(file.fileName))} (TS${code})`;
    // The text of a local file is not the cell's: its place is named in words.
    const place = `${name}:${line + 1}:${character + 1}`;
    return [{ ...createCellFault(cell, 0, 0, ""), message: `${place} ${message}` }];
  });
  return withRequestHint(source, faults);
}

/** Adds to the first fault what to do with code that was probably meant as a request. */
export function withRequestHint(source: string, faults: readonly Fault[]): readonly Fault[] {
  const [first, ...rest] = faults;
  const hint = first === undefined ? undefined : requestHint(source);
  return first === undefined || hint === undefined ? faults : [{ ...first, hint }, ...rest];
}

const MISSING_MODULE = 2307;
const MISSING_NAME = 2304;
/** What the compiler says of names that the runtime lacks: a cell has no options of the compiler. */
const ADVICE_ON_LIBRARIES =
  / Do you need to (?:change your target library|install type def)[\s\S]*$/;
const ELSEWHERE = " This runtime does not have it.";
/** Globals of browsers, Deno and Bun, of which the compiler gives no such advice. */
const OF_OTHER_RUNTIMES = new Set([
  ...["Deno", "Bun", "localStorage", "sessionStorage", "navigator", "location", "alert"],
  ...["prompt", "confirm", "window", "self", "history", "Temporal", "XMLHttpRequest"],
]);

function wordsOf(code: number, text: string, directory: string): string {
  const [, name = ""] = /'([^']+)'/.exec(text) ?? [];
  if (code === MISSING_MODULE && name !== "") return explainMissing(name, directory);
  if (ADVICE_ON_LIBRARIES.test(text)) return text.replace(ADVICE_ON_LIBRARIES, ELSEWHERE);
  if (code === MISSING_NAME && OF_OTHER_RUNTIMES.has(name)) return `${text}${ELSEWHERE}`;
  if (code !== MISSING_PROPERTY || !text.endsWith("on type 'Client'.")) return text;
  // The compiler does not suggest a name with two letters exchanged.
  const [near] = nearNames(name, Object.keys(CLIENT_MEMBERS), 1);
  return near === undefined ? text : `${text} Did you mean '${near}'?`;
}

/** A fault of a cell. The compiler's offsets may lie after the end of the text. */
export function createCellFault(
  text: SourceText,
  from: number,
  to: number,
  message: string,
): Fault {
  const { length } = text.source;
  const start = Math.max(0, Math.min(from, length));
  const end = Math.max(start, Math.min(to, length));
  return createFault(text, { start, end }, message);
}

/**
 * Says what to do about an `import` that cannot be resolved.
 *
 * @param name What is imported, as it is written.
 * @param directory The folder that the import starts from, absolute.
 * @example
 * explainMissing("lodash/fp", "/lab");
 * // 'Cannot find the package "lodash": run "npm install lodash" in /lab'
 */
function explainMissing(name: string, directory: string): string {
  const [, scheme = ""] = /^([a-z][a-z+.-]+):/i.exec(name) ?? [];
  if (/^\.{0,2}\//.test(name) || name === "." || name === "..") return missingFile(name, directory);
  const known = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  const explain = known ?? (scheme === "" ? missingPackage : foreignScheme);
  return explain(name, directory);
}

const SCHEMES: Readonly<Record<string, (name: string, directory: string) => string>> = {
  node: (name) => {
    const known = builtinModules.filter((module) => !module.startsWith("_"));
    const [near] = nearNames(name.slice("node:".length), known, 1);
    return `There is no built-in module "${name}"${near === undefined ? "" : `: did you mean "node:${near}"?`}`;
  },
  npm: (name, directory) => {
    const bare = name.slice("npm:".length).replace(/^(@?[^@]+)@[^/]*/, "$1");
    return `Cannot import "${name}": cells import from node_modules; write "${bare}", and run "npm install ${packageOf(bare)}" in ${directory} if it is missing`;
  },
};

const foreignScheme = (name: string): string =>
  `Cannot import "${name}": cells import packages of node_modules, node: modules and local files`;

function missingPackage(name: string, directory: string): string {
  const needed = packageOf(name);
  return `Cannot find the package "${needed}": run "npm install ${needed}" in ${directory}`;
}

/** A package's name is one word, or two after an `@`. */
function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function missingFile(name: string, directory: string): string {
  const path = resolve(directory, name);
  const [near] = nearNames(basename(path), filesOf(dirname(path)), 1);
  const written = near === undefined ? "" : `${name.slice(0, name.lastIndexOf("/") + 1)}${near}`;
  return `Cannot find the file "${name}" from ${directory}${near === undefined ? "" : `: did you mean "${written}"?`}`;
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.([cm]?[jt]sx?|json)$/.test(name));
  } catch {
    return []; // The folder does not exist either.
  }
}

/**
 * Whether a fault stops a cell: its syntax, or a name that means nothing. Any other is about types, of which
 * a person who explores an API cannot be expected to write all.
 *
 * @param mayExist Whether a property that it misses may be there all the same.
 *
 * @see https://github.com/microsoft/TypeScript/blob/v5.9.3/src/compiler/diagnosticMessages.json
 */
export function stopsCell(
  compiler: Compiler,
  diagnostic: Diagnostic,
  mayExist: (diagnostic: Diagnostic) => boolean,
): boolean {
  const { code, messageText } = diagnostic;
  if (PROPERTY_FAULTS.has(code)) {
    // `fetch` gives JSON as `unknown`: nothing is known of it, so no name can be wrong.
    const text = compiler.flattenDiagnosticMessageText(messageText, "\n");
    return !OF_UNKNOWN_TYPE.test(text) && !mayExist(diagnostic);
  }
  const isOfSyntax = FIRST_OF_SYNTAX <= code && code < FIRST_OF_TYPES;
  return (isOfSyntax && !ALLOWED_IN_JAVASCRIPT.has(code)) || NAME_FAULTS.has(code);
}

const MISSING_PROPERTY = 2339;
const OF_UNKNOWN_TYPE = /on type '(?:unknown|object|\{\})'\.$/;

const FIRST_OF_SYNTAX = 1000;
const FIRST_OF_TYPES = 2000;
/** The return type of an async function or generator, a property written twice, a `void` that is tested. */
const ALLOWED_IN_JAVASCRIPT: ReadonlySet<number> = new Set([
  ...[1055, 1058, 1064, 1065, 1117, 1118, 1320, 1321, 1345],
]);

/** A property does not exist; did you mean; another library has it. */
const PROPERTY_FAULTS: ReadonlySet<number> = new Set([
  ...[MISSING_PROPERTY, 2550, 2551, 2568, 2570, 2576, 2812],
]);

const NAME_FAULTS: ReadonlySet<number> = new Set([
  // Cannot find name, namespace, global; did you mean.
  ...[2304, 2503, 2552, 2662, 2663, 2833, 18004],
  // Cannot find name: the compiler suggests another library or package.
  ...[2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2867, 2868],
  // A module cannot be found, is not one, or does not export the name.
  ...[2305, 2306, 2307, 2459, 2460, 2497, 2613, 2614, 2616, 2617, 2694, 2724, 2732, 2792],
  // A type is used as a value, a value as a type, a namespace as either.
  ...[2693, 2708, 2709, 2749],
  // A name is declared twice, or used before its declaration.
  ...[2300, 2393, 2440, 2448, 2449, 2450, 2451, 2567],
  // A constant, enum, namespace or import is assigned to; JavaScript allows it of functions and classes.
  ...[2364, 2357, 2539, 2588, 2628, 2631, 2632],
]);
