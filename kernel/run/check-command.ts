import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { toVisibleJson, toVisibleLine } from "../../lib/display/mod.ts";
import { type CheckFault, type Client, createClient, RequestSyntaxError } from "../../lib/mod.ts";
import { parseAssertions, readText, withoutLines } from "../../lib/request/mod.ts";
import { foldersUpToRoot, type Platform, type SecretPrograms } from "../platform/mod.ts";
import {
  type CommandOptions,
  clientOptionsOf,
  declaredVariables,
  kindOfCell,
  parseVariableValue,
} from "../session/mod.ts";
import { createProgress } from "../terminal/mod.ts";
import { findDocuments } from "./find-documents.ts";
import { type DocumentEntry, readEntries } from "./read-document.ts";
import { EXIT, type RunOptions } from "./run.ts";

/** In characters: a longer text takes so long that the thread is blocked before its progress is drawn. */
const LONG_TEXT = 500_000;

/** A fault with its position; `cell` is the number of the code cell in a notebook. */
interface PlacedFault {
  readonly file: string;
  readonly cell?: number;
  readonly line: number;
  readonly column: number;
  readonly severity: CheckFault["severity"];
  readonly code: CheckFault["code"];
  readonly message: string;
  readonly hint?: string;
}

/** What JSON has of a fault, in this order. */
const MEMBERS = ["file", "cell", "line", "column", "severity", "code", "message", "hint"];

/**
 * Checks files and writes their faults. A file that cannot be read, or whose environment does not exist,
 * is reported, and the others are checked.
 *
 * @returns The exit status: 0 no faults, 1 faults, 2 a file or environment cannot be read.
 */
export async function checkCommand(options: RunOptions, platform: Platform): Promise<number> {
  const { stdout, stderr } = platform;
  const isJson = options.form === "json";
  const files = await findDocuments(options.files);
  const progress = createProgress(stderr);
  let label = "";
  progress.start(() => label);
  const faults: PlacedFault[] = [];
  let checked = 0;
  const given: ReadonlySet<string> = new Set(options.variables.map(([name]) => name));
  const unused = new Set(given);
  for (const [at, path] of files.entries()) {
    label = `Checking ${path} [${at + 1}/${files.length}]`;
    try {
      const cells = joinCells(await readEntries(path, platform));
      const client = await openClient(path, cells, options, platform, (name) =>
        unused.delete(name),
      );
      for (const warning of client.environment?.warnings ?? []) {
        progress.clear();
        stderr.write(`${toVisibleLine(client.secrets.mask(warning))}\n`);
      }
      if (cells.text.length > LONG_TEXT) progress.announce(label);
      for (const fault of await checkFile(path, cells, client, platform, given)) faults.push(fault);
      const isUsed = createUsage(cells);
      for (const name of unused) if (isUsed(name)) unused.delete(name);
      checked += 1;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      progress.clear();
      stderr.write(`restlab: ${toVisibleLine(withFile(path, error.message))}\n`);
    }
  }
  progress.stop();
  for (const name of checked < files.length ? [] : unused)
    stderr.write(`restlab: --var ${name} has no effect: nothing uses it\n`);
  if (isJson) stdout.write(`${toVisibleJson(JSON.stringify(faults, MEMBERS))}\n`);
  else for (const fault of faults) stdout.write(`${toVisibleLine(toLine(fault))}\n`);
  if (!isJson && checked > 0) stderr.write(`${summaryOf(faults.length, checked)}\n`);
  if (checked < files.length) return EXIT.usage;
  return faults.length === 0 ? EXIT.ok : EXIT.cellFailed;
}

/** Returns whether code, which a check does not run, or a file that is imported may use a variable. */
function createUsage({ text, code }: JoinedCells): (name: string) => boolean {
  const hasImports = readText(text).imports.length > 0;
  const lines = text.split("\n");
  return (name) => {
    const others = lines.filter((line) => !line.trimStart().startsWith(`@${name}`));
    return hasImports || [...code.values(), ...others].some((one) => one.includes(name));
  };
}

/** Adds the file to a message that does not name it. */
function withFile(path: string, message: string): string {
  return message.includes(`"${path}"`) ? message : `Checking "${path}" failed: ${message}`;
}

/** Opens a client that reads what a check of a file may read. */
export async function openClient(
  path: string,
  cells: Pick<JoinedCells, "environment">,
  { variables, environment = cells.environment }: CommandOptions,
  platform: Platform & { readonly secretPrograms?: SecretPrograms },
  onUse?: (name: string) => void,
): Promise<Client> {
  const directory = folderOf(path, platform);
  // The file may not be trusted: it must not read files elsewhere by links, or run code of a package.
  const client = createClient({
    ...clientOptionsOf({
      directory,
      environment: platform.environment,
      secretPrograms: platform.secretPrograms,
      readFile: (name) => {
        const path = resolve(directory, name);
        const isImport = /\.(?:http|rest)$/i.test(path);
        const within = isImport ? rootOf(directory, platform) : folderOfEnvironment(path);
        return platform.readFile(path, { within });
      },
    }),
    loadFaker: loadInstalledFaker,
  });
  await client.useEnv(environment);
  for (const [name, value] of variables) {
    client.setVar(name, parseVariableValue(value), { onUse: () => onUse?.(name) });
  }
  return client;
}

/**
 * The folder that imported files must lie in: the root of the repository, without one the working folder if the
 * file is below it, or else the folder of the file.
 */
function rootOf(folder: string, { directory }: Platform): string {
  const root = foldersUpToRoot(folder).at(-1) ?? folder;
  if (root !== folder || existsSync(join(folder, ".git"))) return root;
  const way = relative(directory, folder);
  return way.startsWith("..") || isAbsolute(way) ? folder : directory;
}

/** The folder that an environment file belongs to: it must not lie elsewhere. */
function folderOfEnvironment(path: string): string {
  const folder = dirname(path);
  return [".vscode", "env"].includes(basename(folder)) ? dirname(folder) : folder;
}

/** Loads faker from beside restlab, not from the folder of the file. */
async function loadInstalledFaker(): Promise<unknown> {
  const name: string = "@faker-js/faker";
  return await import(name).catch(() => undefined);
}

async function checkFile(
  file: string,
  cells: JoinedCells,
  client: Client,
  platform: Platform,
  given: ReadonlySet<string>,
): Promise<readonly PlacedFault[]> {
  const { setNames, locate } = cells;
  const text = withoutLines(readText(cells.text), given);
  const directory = folderOf(file, platform);
  const hasFile = (path: string): boolean => existsSync(resolve(directory, path));
  const options = { hasFile, deferred: [...setNames], runsScripts: true };
  let faults = client.check(text, options);
  // Random values may need faker, which is slow to load, and imported files are not read by a check.
  if (faults.length > 0) ({ faults } = await client.prepare(text, options));
  if (faults.some(({ code }) => code === "name") && cells.code.size > 0) {
    const declared = await createDeclaredNames(cells, platform);
    const early = faults.filter((fault) => declared.isEarly(fault));
    const deferred = [...setNames, ...declared.names];
    faults = [...early, ...client.check(text, { ...options, deferred })].sort(
      (one, other) => one.span.start - other.span.start,
    );
  }
  const placed = faults.map((fault) => ({ ...fault, ...locate(fault.line) }));
  return [...placed, ...assertionFaults(cells, client)]
    .sort((one, other) => (one.cell ?? 0) - (other.cell ?? 0))
    .map((fault) => ({ ...fault, file }));
}

/** A fault of a cell of assertions. */
type AssertionFault = CheckFault & { readonly cell: number };

/** Finds the lines of cells of assertions that cannot be read. */
function assertionFaults(
  { assertions }: JoinedCells,
  { secrets }: Client,
): readonly AssertionFault[] {
  return [...assertions].flatMap(([cell, source]) => {
    try {
      parseAssertions(source);
      return [];
    } catch (error) {
      if (!(error instanceof RequestSyntaxError)) throw error;
      secrets.learn({ kind: "source", text: source }, "person");
      return error.faults.map((fault): AssertionFault => {
        const message = secrets.mask(fault.message);
        return { ...fault, message, code: "syntax", severity: "error", cell };
      });
    }
  });
}

function folderOf(path: string, { directory }: Platform): string {
  return resolve(directory, dirname(path));
}

function toLine({ file, cell, line, column, message, hint }: PlacedFault): string {
  const place = cell === undefined ? `${file}` : `${file}:cell ${cell}`;
  return `${place}:${line}:${column}: ${message}${hint === undefined ? "" : `. ${hint}`}`;
}

function summaryOf(faults: number, files: number): string {
  const where = files === 1 ? "1 file" : `${files} files`;
  if (faults === 0) return `No faults in ${where}`;
  return `${faults === 1 ? "1 fault" : `${faults} faults`} in ${where}`;
}

/** The variables that the TypeScript cells of a notebook declare. */
interface DeclaredNames {
  readonly names: readonly string[];
  /** Whether a fault is about a variable that only later cells declare. */
  isEarly(fault: CheckFault): boolean;
}

/** Finds the variables of TypeScript cells, which placeholders in later cells can name. */
async function createDeclaredNames(
  { text, code, locate }: JoinedCells,
  platform: Platform,
): Promise<DeclaredNames> {
  const declared = await declaredVariables([...code.values()], platform);
  /** The first cell that declares a name. */
  const firsts = new Map<string, number>();
  for (const [index, cell] of [...code.keys()].entries()) {
    for (const name of declared[index] ?? []) if (!firsts.has(name)) firsts.set(name, cell);
  }
  return {
    names: [...firsts.keys()],
    isEarly: ({ code, span, line }) => {
      const [, name = ""] =
        /^\{\{\s*%?([\p{L}_][\p{L}\p{N}_-]*)/u.exec(text.slice(span.start, span.end)) ?? [];
      const first = firsts.get(name);
      return code === "name" && first !== undefined && first > (locate(line).cell ?? 0);
    },
  };
}

/** The requests of a file as one text, in which requests can refer to earlier ones. */
export interface JoinedCells {
  readonly text: string;
  /** Names of variables that TypeScript cells set by literal names, and those of `%demo` lines. */
  readonly setNames: readonly string[];
  /** The TypeScript cells, by their numbers. */
  readonly code: ReadonlyMap<number, string>;
  /** The cells of assertions about the last answer, by their numbers. */
  readonly assertions: ReadonlyMap<number, string>;
  /** The environment of the first `%env NAME` line. */
  readonly environment: string | undefined;
  /** Maps a line of the text to a line of the file or of one of its cells. */
  locate(line: number): { readonly cell?: number; readonly line: number };
}

const SET_VARIABLE = /\bsetVar\(\s*(["'`])([^"'`$]+)\1/g;

/** Joins the cells of a file. */
export function joinCells(cells: readonly DocumentEntry[]): JoinedCells {
  const lines: string[] = [];
  const starts: { readonly line: number; readonly cell: number }[] = [];
  const setNames: string[] = [];
  const code = new Map<number, string>();
  const assertions = new Map<number, string>();
  let environment: string | undefined;
  for (const [index, cell] of cells.entries()) {
    const { kind, demo, ...read } = kindOfCell(cell.text, cell.line !== undefined);
    const text = read.text.replace(/^\uFEFF?\s*%%http(?!\S)/, (mark) => mark.replace(/\S/g, " "));
    environment ??= read.environment?.name;
    if (demo !== undefined) setNames.push("base");
    if (kind === "assertions") {
      assertions.set(index + 1, text);
      continue;
    }
    if (kind !== "request") {
      code.set(index + 1, text);
      for (const [, , name = ""] of cell.text.matchAll(SET_VARIABLE)) setNames.push(name);
      continue;
    }
    if (cell.line === undefined) {
      // The separator ends the last request of the cell before.
      if (lines.length > 0) lines.push("###");
      starts.push({ line: lines.length + 1, cell: index + 1 });
    } else {
      while (lines.length < cell.line - 1) lines.push("");
    }
    for (const line of text.split(/\r\n?|\n/)) lines.push(line);
  }
  return {
    text: lines.join("\n"),
    setNames,
    code,
    assertions,
    environment,
    locate: (line) => {
      const start = starts.findLast((one) => one.line <= line);
      return start === undefined ? { line } : { cell: start.cell, line: line - start.line + 1 };
    },
  };
}
