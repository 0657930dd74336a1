import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { toVisibleLine } from "../../lib/display/mod.ts";
import { isRecord } from "../../lib/interpolation/mod.ts";
import { makeFolder, openFileForWriting, type Platform, writingReason } from "../platform/mod.ts";
import {
  type Collection,
  CollectionBuilder,
  ImportError,
  type ImportRemark,
  requestsOf,
  toIdentifier,
} from "./collection.ts";
import { openSource } from "./open-source.ts";
import { READERS, type ReadContent, type ReadOptions, type Source } from "./readers.ts";
import {
  type OutputFile,
  PRIVATE_FILE,
  PUBLIC_FILE,
  type TargetKind,
  type WrittenFiles,
  writeFiles,
} from "./write-files.ts";

/** The arguments of `restlab import`. */
export interface ImportOptions extends ReadOptions {
  /** Files, folders, URLs; `-` is standard input. */
  readonly sources: readonly string[];
  /** A notebook, a file of requests or a folder; by default a notebook with the name of the source. */
  readonly output?: string | undefined;
  /** The format of the sources; by default their content decides. */
  readonly from?: string | undefined;
  /** Whether files are replaced. */
  readonly force?: boolean | undefined;
  /** Whether nothing is written: the report says what would be. */
  readonly dryRun?: boolean | undefined;
  /** Whether it is an error if something is left out. */
  readonly strict?: boolean | undefined;
}

const EXIT = { ok: 0, leftOut: 1, usage: 2 } as const;

/**
 * `restlab import`: reads documents of other tools, writes documents of restlab, and reports what could not come.
 *
 * @returns The exit status: 0 imported, 1 something is left out and `--strict` is given, 2 nothing was written.
 */
export async function importCommand(options: ImportOptions, platform: Platform): Promise<number> {
  const { stdout, stderr } = platform;
  try {
    const lines = await runImport(options, platform);
    for (const line of lines.text) stdout.write(`${toVisibleLine(line)}\n`);
    return options.strict === true && lines.isLacking ? EXIT.leftOut : EXIT.ok;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    stderr.write(`restlab: ${toVisibleLine(error.message)}\n`);
    return EXIT.usage;
  }
}

/** The report of an import. */
interface Report {
  readonly text: readonly string[];
  /** Whether something is left out. */
  readonly isLacking: boolean;
}

/**
 * Imports sources, for the command and the prompt.
 *
 * @throws {Error} A source cannot be read, or a file exists or cannot be written; then nothing is written.
 */
export async function runImport(options: ImportOptions, platform: Platform): Promise<Report> {
  const collection = await readSources(options, platform);
  const target = targetOf(options, collection);
  const written = writeFiles(collection, target.kind, target.name);
  const { files, remarks } = await withExisting(written.files, target.folder, options);
  if (options.dryRun !== true) await save(files, target.folder);
  const all = { ...written, files, remarks: [...written.remarks, ...remarks] };
  return report(collection, all, target.folder, options);
}

/** Reads all sources into one collection; environments of one source are for the requests of another. */
async function readSources(
  { sources, from, all }: ImportOptions,
  platform: Platform,
): Promise<Collection> {
  const builder = new CollectionBuilder();
  const contents: ReadContent[] = [];
  for (const place of sources) {
    const source = await openSource(place, platform);
    const before = builder.remarks.length;
    contents.push(readerOf(source, from).read(source, builder, { all }));
    if (sources.length > 1) {
      for (const one of builder.remarks.splice(before)) {
        builder.remark(one.kind, `${place}: ${one.where}`, one.message);
      }
    }
  }
  const [first, ...more] = contents.filter(({ items }) => items.length > 0);
  const { name = contents[0]?.name ?? "requests", description } = first ?? {};
  if (more.length === 0) return builder.build({ name, description, items: first?.items ?? [] });
  const items = contents.map(
    ({ name: title, ...rest }) => ({ kind: "folder", title, ...rest }) as const,
  );
  return builder.build({ name, items: items.filter((folder) => folder.items.length > 0) });
}

function readerOf(source: Source, from: string | undefined): (typeof READERS)[number] {
  const kinds = [...new Set(READERS.map(({ kind }) => kind))].join(", ");
  const meant = READERS.filter(({ kind }) => from === undefined || kind === from);
  const reader = meant.find((one) => one.matches(source)) ?? (from && meant[0]);
  if (reader) return reader;
  const problem =
    from === undefined
      ? "its format is not known"
      : `"${from}" is not a format that can be imported`;
  throw new ImportError(
    `Reading "${source.name}" failed: ${problem}; write --from with one of ${kinds}`,
  );
}

/** Where the files go. */
interface Target {
  readonly kind: TargetKind;
  readonly folder: string;
  /** The name of the document in the folder; empty for a folder of documents. */
  readonly name: string;
}

function targetOf({ output, sources: [first = "-"] }: ImportOptions, { name }: Collection): Target {
  if (output === undefined) {
    const isPlace = first !== "-" && !/^https?:\/\//i.test(first);
    const stem = isPlace ? basename(first).replace(/\.[^.]*$/, "") : toIdentifier(name, "requests");
    return { kind: "ipynb", folder: "", name: `${stem || "requests"}.ipynb` };
  }
  const extension = extname(output).toLowerCase();
  if (extension === ".ipynb" || extension === ".http" || extension === ".rest") {
    const kind = extension === ".ipynb" ? "ipynb" : "http";
    return { kind, folder: dirname(output), name: basename(output) };
  }
  if (extension !== "" && !existsSync(output)) {
    throw new ImportError(
      `Writing "${output}" failed: name a notebook (.ipynb), a file of requests (.http) or a folder`,
    );
  }
  return { kind: "folder", folder: output, name: "" };
}

/**
 * The files as they are to be written: environments join those that are there.
 *
 * @throws {ImportError} Another file exists, or an environment file cannot be read.
 */
async function withExisting(
  files: readonly OutputFile[],
  folder: string,
  { force = false }: ImportOptions,
): Promise<Pick<WrittenFiles, "files" | "remarks">> {
  const existing = files.map(({ path }) => join(folder, path)).filter((path) => existsSync(path));
  const replaced = existing.filter((path) => !ENVIRONMENTS.has(basename(path)));
  if (replaced.length > 0 && !force) {
    const names = replaced.map((path) => `"${path}"`).join(", ");
    const verb = replaced.length === 1 ? "exists" : "exist";
    throw new ImportError(
      `Writing failed: ${names} ${verb}; --force replaces what is there, -o names another place`,
    );
  }
  const remarks: ImportRemark[] = [];
  const joined = files.map(async (file) => {
    const path = join(folder, file.path);
    if (!ENVIRONMENTS.has(file.path) || !existing.includes(path)) return file;
    const { content, kept } = joinEnvironments(
      await readJson(path),
      JSON.parse(String(file.content)),
      force,
    );
    for (const name of kept) {
      remarks.push({
        kind: "changed",
        where: path,
        message: `${name} keeps its value: the source has another`,
      });
    }
    return { ...file, content };
  });
  return { files: await Promise.all(joined), remarks };
}

const ENVIRONMENTS: ReadonlySet<string> = new Set([PUBLIC_FILE, PRIVATE_FILE]);

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
    throw new ImportError(
      `Reading "${path}" failed: ${reason}; mend it, or name another place with -o`,
    );
  }
}

/** Adds the variables of environments to those that are there, whose values stay but for --force. */
function joinEnvironments(
  before: unknown,
  added: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  force: boolean,
): { readonly content: string; readonly kept: readonly string[] } {
  const joined = new Map(Object.entries(isRecord(before) ? before : {}));
  const kept: string[] = [];
  for (const [environment, values] of Object.entries(added)) {
    const found = joined.get(environment);
    const own = new Map(Object.entries(isRecord(found) ? found : {}));
    for (const [name, value] of Object.entries(values)) {
      const isOther = own.has(name) && JSON.stringify(own.get(name)) !== JSON.stringify(value);
      if (isOther && !force) kept.push(`"${name}" of "${environment}"`);
      else own.set(name, value);
    }
    joined.set(environment, Object.fromEntries(own));
  }
  return { content: `${JSON.stringify(Object.fromEntries(joined), null, 2)}\n`, kept };
}

/** @throws {ImportError} A file cannot be written. */
async function save(files: readonly OutputFile[], folder: string): Promise<void> {
  for (const { path, content } of files) await write(join(folder, path), content);
  if (files.some(({ path }) => path === PRIVATE_FILE)) await ignorePrivateFile(folder);
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  try {
    makeFolder(dirname(path));
    const file = await openFileForWriting(path, { replace: true });
    try {
      await file.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
      await file.commit();
    } catch (error) {
      await file.discard();
      throw error;
    }
  } catch (error) {
    throw new ImportError(`Writing "${path}" failed: ${writingReason(error)}`, { cause: error });
  }
}

/** Adds the file of secrets to `.gitignore`, whose other lines stay. */
async function ignorePrivateFile(folder: string): Promise<void> {
  const path = join(folder, ".gitignore");
  const before = await readFile(path, "utf8").catch(() => "");
  if (before.split(/\r?\n/).includes(PRIVATE_FILE)) return;
  const separator = before === "" || before.endsWith("\n") ? "" : "\n";
  await write(path, `${before}${separator}${PRIVATE_FILE}\n`);
}

/** The remarks that are listed of each kind; a source may give cause for thousands. */
const LISTED = 50;

function report(
  { items, environments }: Collection,
  { files, remarks, missing }: WrittenFiles,
  folder: string,
  { dryRun }: ImportOptions,
): Report {
  const count = [...requestsOf(items)].length + items.filter(({ kind }) => kind === "cell").length;
  const what = items.some(({ kind }) => kind === "cell") ? "cell" : "request";
  const requests = `${count} ${what}${count === 1 ? "" : "s"}`;
  const leftOut = remarks.filter(({ kind }) => kind === "left out");
  const changed = remarks.filter(({ kind }) => kind === "changed");
  const names = [...environments.keys()];
  const text = [
    `${dryRun === true ? "Would import" : "Imported"} ${requests}:`,
    ...files.map(({ path }) => `  ${join(folder, path)}`),
    ...(names.length === 0 ? [] : [`Environments, to choose with --env: ${names.join(", ")}`]),
    ...list("Changed", changed),
    ...list("Left out", leftOut),
    ...(missing.length === 0
      ? []
      : [`Without a value; set them in ${PRIVATE_FILE} or with --var: ${missing.join(", ")}`]),
  ];
  return { text, isLacking: leftOut.length > 0 };
}

function list(title: string, remarks: readonly ImportRemark[]): readonly string[] {
  if (remarks.length === 0) return [];
  const lines = remarks.slice(0, LISTED).map(({ where, message }) => `  ${where}: ${message}`);
  const more = remarks.length - lines.length;
  return [`${title}:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}
