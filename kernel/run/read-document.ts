import { isRecord } from "../../lib/interpolation/mod.ts";
import { readOutline } from "../../lib/request/mod.ts";
import { type Platform, readingReason } from "../platform/mod.ts";
import { createCellIds, type Document, type DocumentCell, isRunnable } from "./document.ts";
import { attempt, DocumentError, settleAll } from "./errors.ts";
import { isGlob } from "./find-documents.ts";

type Files = Pick<Platform, "readFile">;

/** The languages of notebooks that can be run. */
const LANGUAGES = new Set(["typescript", "javascript", "http", "restlab"]);

const PARSERS: ReadonlyMap<string, (text: string, path: string) => Document> = new Map([
  ["ipynb", parseIpynb],
  ["http", parseHttp],
  ["rest", parseHttp],
]);

/**
 * Reads a `.ipynb`, `.http` or `.rest` file.
 *
 * @throws {DocumentError} The extension is another one, the file cannot be read or is not UTF-8, or the
 * notebook is invalid.
 */
export async function readDocument(path: string, files: Files): Promise<Document> {
  const parse = PARSERS.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
  if (parse === undefined) {
    const reason = await files.readFile(path, { maxBytes: 0 }).then(
      () => undefined,
      // Any other error is that the file is not empty.
      (error: NodeJS.ErrnoException) =>
        error.code === "EISDIR" || error.code === "ENOENT" ? reasonOf(error, path) : undefined,
    );
    throw new DocumentError(
      `Reading "${path}" failed: ${reason ?? "its name does not end in .ipynb, .http or .rest"}`,
    );
  }
  const what = `Reading "${path}"`;
  return parse(await readText(path, files, what, (error) => reasonOf(error, path)), path);
}

/** A cell to run, as the prompt and `check` need it. */
export interface DocumentEntry {
  readonly text: string;
  /** The line on which it begins, from 1, in a file of requests, whose cells are never TypeScript. */
  readonly line?: number;
}

/** Reads the runnable cells of a document, in order; throws as {@link readDocument} does. */
export async function readEntries(path: string, files: Files): Promise<readonly DocumentEntry[]> {
  const { cells } = await readDocument(path, files);
  return cells.filter(isRunnable).map(({ source, line }) => ({ text: source, line }));
}

/**
 * Reads all documents.
 *
 * @throws {UnreadableError} Some cannot be read; all of them are named.
 */
export async function readDocuments(
  paths: readonly string[],
  files: Files,
): Promise<readonly Document[]> {
  return await settleAll(paths.map((path) => readDocument(path, files)));
}

/**
 * Reads a file as text.
 *
 * @param what What messages call that.
 * @throws {DocumentError} It cannot be read, or is not UTF-8.
 */
export async function readText(
  path: string,
  { readFile }: Files,
  what: string,
  reasonOf: (error: unknown) => string = readingReason,
): Promise<string> {
  const bytes = await attempt(what, reasonOf, () => readFile(path));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return await attempt(
    what,
    () => "it is not UTF-8 text",
    () => decoder.decode(bytes),
  );
}

/** Why the path of a document cannot be read; paths that stand for several documents stay where none is found. */
function reasonOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return "it is a folder without .ipynb, .http or .rest files";
  if (code === "ENOENT" && isGlob(path)) return "no .ipynb, .http or .rest file matches it";
  return readingReason(error);
}

/**
 * Splits a `.http` file into cells at its `###` lines, one request per cell. Comments and `@name = value`
 * lines before the first request belong to its cell. A `###` inside a block comment splits nothing. Requests are
 * not parsed here, so that a fault is the error of its cell.
 */
export function parseHttp(text: string, path: string): Document {
  const idOf = createCellIds();
  const cells: DocumentCell[] = [];
  for (const { source, line } of chunks(text)) {
    const id = idOf(undefined, cells.length);
    cells.push({ type: "code", id, source, metadata: {}, line });
  }
  const lines = text.replace(/\n$/, "").split("\n").length;
  return { path, metadata: {}, cells, lines };
}

function* chunks(text: string): Generator<{ source: string; line: number }> {
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const separators = [...readOutline(source)].filter(
    (line) => line.kind === "separator" && line.text.startsWith("#"),
  );
  let from = 0;
  let before = 0;
  let line = 1;
  for (const end of [...separators.map(({ start }) => start), source.length]) {
    const section = source.slice(before, end);
    before = end;
    // Separators without a title, and nothing below them yet.
    if (section.split("\n").every((one) => ["", "###"].includes(one.trim()))) continue;
    const chunk = source.slice(from, end);
    const [above = ""] = /^(?:[^\S\n]*\n)*/.exec(chunk) ?? [];
    yield { source: chunk.slice(above.length).trimEnd(), line: line + linesIn(above) };
    line += linesIn(chunk);
    from = end;
  }
}

const linesIn = (text: string): number => text.split("\n").length - 1;

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses a notebook of nbformat 4 (https://nbformat.readthedocs.io/en/latest/format_description.html).
 *
 * Cells without an id (before 4.5) get one.
 *
 * @throws {DocumentError} The text is not a notebook, or not one of a language that can be run.
 */
export function parseIpynb(text: string, path: string): Document {
  const fail = (problem: string): never => {
    throw new DocumentError(`Reading notebook "${path}" failed: ${problem}`);
  };
  if (text.trim() === "")
    return fail("it is empty, which is not JSON; create a new notebook in Jupyter");
  const notebook = parseJson(text, fail);
  if (!isRecord(notebook)) return fail("it is not a JSON object");
  if (notebook["nbformat"] !== 4) {
    return fail(
      `its nbformat is ${JSON.stringify(notebook["nbformat"])}, and 4 is required; open and save it in Jupyter, which converts it`,
    );
  }
  const cells = notebook["cells"];
  if (!Array.isArray(cells)) return fail('it has no array "cells"');
  const metadata = isRecord(notebook["metadata"]) ? notebook["metadata"] : {};
  const language = languageOf(metadata);
  if (language !== undefined && !LANGUAGES.has(language)) {
    return fail(`its language is ${language}; restlab runs requests and TypeScript`);
  }
  const idOf = createCellIds();
  return {
    path,
    metadata,
    cells: cells.map((cell: unknown, index) => parseCell(cell, index, idOf, fail)),
  };
}

function parseJson(text: string, fail: (problem: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(`it is not JSON: ${(error as Error).message}`);
  }
}

function parseCell(
  cell: unknown,
  index: number,
  idOf: ReturnType<typeof createCellIds>,
  fail: (problem: string) => never,
): DocumentCell {
  const where = `cell ${index + 1}`;
  if (!isRecord(cell)) return fail(`${where} is not an object`);
  const type = cell["cell_type"];
  if (type !== "code" && type !== "markdown" && type !== "raw") {
    return fail(`${where} has the cell_type ${JSON.stringify(type)}`);
  }
  const source = textOf(cell["source"]);
  if (source === undefined) return fail(`${where} has a source that is not text`);
  return {
    type,
    id: idOf(cell["id"], index),
    source,
    metadata: isRecord(cell["metadata"]) ? cell["metadata"] : {},
    ...("attachments" in cell ? { attachments: cell["attachments"] } : {}),
    ...(Array.isArray(cell["outputs"]) ? { savedOutputs: cell["outputs"] } : {}),
  };
}

/** nbformat's multi-line strings: a string, or an array of lines with their line breaks. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
  return isLines ? value.join("") : undefined;
}

function languageOf(metadata: Json): string | undefined {
  const { kernelspec, language_info } = metadata;
  const language =
    (isRecord(kernelspec) && kernelspec["language"]) ||
    (isRecord(language_info) && language_info["name"]);
  return typeof language === "string" ? language.toLowerCase() : undefined;
}
