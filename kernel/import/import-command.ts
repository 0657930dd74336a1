import { existsSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { toVisibleLine } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
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
import { TargetFolder } from "./target-folder.ts";
import { PRIVATE_FILE, type TargetKind, type WrittenFiles, writeFiles } from "./write-files.ts";

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
    stdout.write(`${lines.text.join("\n")}\n`);
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
  const target = targetOf(options, collection, platform.directory);
  const folder = new TargetFolder(target.folder, platform.directory);
  const textOf = options.force === true ? () => undefined : folder.textOf;
  const written = writeFiles(collection, target.kind, target.name, textOf);
  const { files, remarks } = folder.join(written.files, options.force === true);
  const gone = target.kind === "folder" ? folder.goneDocuments(files) : [];
  if (options.dryRun !== true) await folder.save(files);
  const all = { ...written, files, remarks: [...written.remarks, ...remarks, ...gone] };
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

function targetOf(
  { output, sources: [first = "-"] }: ImportOptions,
  { name }: Collection,
  directory: string,
): Target {
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
  if (extension !== "" && !existsSync(resolve(directory, output))) {
    throw new ImportError(
      `Writing "${output}" failed: name a notebook (.ipynb), a file of requests (.http) or a folder`,
    );
  }
  return { kind: "folder", folder: output, name: "" };
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
  const names = [...environments.keys()];
  const text = [
    `${dryRun === true ? "Would import" : "Imported"} ${requests}:`,
    ...files.map(({ path }) => `  ${join(folder, path)}`),
    ...(names.length === 0 ? [] : [`Environments, to choose with --env: ${names.join(", ")}`]),
    ...Object.entries(TITLES).flatMap(([kind, title]) =>
      list(
        title,
        remarks.filter((remark) => remark.kind === kind),
      ),
    ),
    ...(missing.length === 0
      ? []
      : [`Without a value; set them in ${PRIVATE_FILE} or with --var: ${missing.join(", ")}`]),
  ];
  return {
    text: text.map(toVisibleLine),
    isLacking: remarks.some(({ kind }) => kind === "left out"),
  };
}

/** What a report calls the kinds of remarks, in their order. */
const TITLES: Readonly<Record<ImportRemark["kind"], string>> = {
  new: "New",
  updated: "Updated",
  kept: "Kept as they were changed here, though the source has changed too",
  gone: "No longer in the source, and left as they are",
  changed: "Changed",
  "left out": "Left out",
};

function list(title: string, remarks: readonly ImportRemark[]): readonly string[] {
  if (remarks.length === 0) return [];
  const lines = remarks.slice(0, LISTED).map(({ where, message }) => `  ${where}: ${message}`);
  const more = remarks.length - lines.length;
  return [`${title}:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}
