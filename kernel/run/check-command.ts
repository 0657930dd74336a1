import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { toVisibleJson, toVisibleLine } from "../../lib/display/mod.ts";
import { type CheckFault, type Client, createClient, RequestSyntaxError } from "../../lib/mod.ts";
import { parseAssertions } from "../../lib/request/mod.ts";
import { foldersUpToRoot, type Platform } from "../platform/mod.ts";
import { clientOptionsOf, declaredVariables, parseVariableValue } from "../session/mod.ts";
import { type JoinedCells, joinCells, type SourceCell } from "./join-cells.ts";

export interface CheckOptions {
  readonly files: readonly string[];
  /** Variables that count as set; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** The environment, from the files in the folder of each document. */
  readonly environment?: string;
  /** Whether to write one line of JSON. */
  readonly json: boolean;
}

/** Reads the cells of a file; throws an error that names the file and the reason. */
type ReadCells = (path: string) => Promise<readonly SourceCell[]>;

const EXIT = { ok: 0, faults: 1, usage: 2 } as const;

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

/**
 * Checks files and writes their faults. A file that cannot be read, or whose environment does not exist,
 * is reported, and the others are checked.
 *
 * @returns The exit status: 0 no faults, 1 faults, 2 a file or environment cannot be read.
 */
export async function checkCommand(
  options: CheckOptions,
  platform: Platform,
  read: ReadCells,
): Promise<number> {
  const { stdout, stderr } = platform;
  const faults: PlacedFault[] = [];
  let checked = 0;
  for (const path of options.files) {
    try {
      const cells = joinCells(await read(path));
      const client = await openClient(path, cells, options, platform);
      for (const fault of await checkFile(path, cells, client, platform)) faults.push(fault);
      checked += 1;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      stderr.write(`restlab: ${toVisibleLine(withFile(path, error.message))}\n`);
    }
  }
  if (options.json) stdout.write(`${toVisibleJson(JSON.stringify(faults))}\n`);
  else for (const fault of faults) stdout.write(`${toVisibleLine(toLine(fault))}\n`);
  if (!options.json && checked > 0) stderr.write(`${summaryOf(faults.length, checked)}\n`);
  if (checked < options.files.length) return EXIT.usage;
  return faults.length === 0 ? EXIT.ok : EXIT.faults;
}

/** Adds the file to a message that does not name it. */
function withFile(path: string, message: string): string {
  return message.includes(`"${path}"`) ? message : `Checking "${path}" failed: ${message}`;
}

async function openClient(
  path: string,
  cells: JoinedCells,
  { variables, environment = cells.environment }: CheckOptions,
  platform: Platform,
): Promise<Client> {
  const directory = folderOf(path, platform);
  // The file may not be trusted: it must not read files elsewhere by links, or run code of a package.
  const client = createClient({
    ...clientOptionsOf({
      directory,
      environment: platform.environment,
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
  for (const [name, value] of variables) client.setVar(name, parseVariableValue(value));
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
): Promise<readonly PlacedFault[]> {
  const { text, setNames, locate } = cells;
  const directory = folderOf(file, platform);
  const hasFile = (path: string): boolean => existsSync(resolve(directory, path));
  const check = (names: Iterable<string> = []): readonly CheckFault[] =>
    client.check(text, { hasFile, deferred: [...setNames, ...names], runsScripts: true });
  let faults = check();
  if (faults.length > 0) {
    // Random values may need faker, which is slow to load, and imported files are not read by a check.
    await client.prepare(text);
    faults = check();
  }
  if (faults.some(({ code }) => code === "name") && cells.code.size > 0) {
    const declared = await createDeclaredNames(cells, platform);
    const early = faults.filter((fault) => declared.isEarly(fault));
    faults = [...early, ...check(declared.names)].sort(
      (one, other) => one.span.start - other.span.start,
    );
  }
  const placed = faults.map((fault) => ({ ...fault, ...locate(fault.line) }));
  return [...placed, ...assertionFaults(cells, client)]
    .sort((one, other) => (one.cell ?? 0) - (other.cell ?? 0))
    .map(({ cell, line, column, severity, code, message, hint }) => ({
      file,
      ...(cell === undefined ? {} : { cell }),
      line,
      column,
      severity,
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
    }));
}

/** A fault of a cell of assertions. */
type AssertionFault = CheckFault & { readonly cell: number };

/** Finds the lines of cells of assertions that cannot be read. */
function assertionFaults(
  { assertions }: JoinedCells,
  { secrets }: Pick<Client, "secrets">,
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
  platform: Pick<Platform, "environment">,
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
        /^\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)/u.exec(text.slice(span.start, span.end)) ?? [];
      const first = firsts.get(name);
      return code === "name" && first !== undefined && first > (locate(line).cell ?? 0);
    },
  };
}
