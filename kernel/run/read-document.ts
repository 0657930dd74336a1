import { isRecord } from "../../lib/interpolation/mod.ts";
import { type Platform, readingReason } from "../platform/mod.ts";
import { createCellIds, type Document, type DocumentCell, DocumentError } from "./document.ts";
import { isGlob } from "./find-documents.ts";

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
export async function readDocument(
  path: string,
  platform: Pick<Platform, "readFile">,
): Promise<Document> {
  const parse = PARSERS.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
  if (parse === undefined) {
    const reason = await platform.readFile(path, { maxBytes: 0 }).then(
      () => undefined,
      (error: NodeJS.ErrnoException) =>
        error.code === "EISDIR" || isGlob(path) ? reasonOf(error, path) : undefined,
    );
    throw new DocumentError(
      `Reading "${path}" failed: ${reason ?? "its name does not end in .ipynb, .http or .rest"}`,
    );
  }
  return parse(await readText(path, platform), path);
}

async function readText(path: string, platform: Pick<Platform, "readFile">): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await platform.readFile(path);
  } catch (error) {
    throw new DocumentError(`Reading "${path}" failed: ${reasonOf(error, path)}`, { cause: error });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DocumentError(`Reading "${path}" failed: it is not UTF-8 text`, { cause: error });
  }
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
  let lines: string[] = [];
  let first = 1;
  let number = 0;
  let hasContent = false;
  let hasRequest = false;
  let inComment = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    number += 1;
    if (line.startsWith("###") && hasContent && !inComment) {
      yield trimmed(lines, first);
      lines = [];
      hasContent = false;
      hasRequest = false;
    }
    if (inComment) inComment = !line.includes("*/");
    else if (!hasRequest && /^[ \t]*\/\*/.test(line)) inComment = !/\/\*.*\*\//.test(line);
    else hasRequest ||= isContent(line) && !/^[ \t]*(?:#|\/\/|@)/.test(line);
    if (lines.length === 0) first = number;
    lines.push(line);
    hasContent ||= isContent(line);
  }
  if (hasContent) yield trimmed(lines, first);
}

/** Not blank, and not a separator without a title. */
function isContent(line: string): boolean {
  return line.trim() !== "" && line.trim() !== "###";
}

function trimmed(lines: readonly string[], first: number): { source: string; line: number } {
  const start = lines.findIndex((line) => line.trim() !== "");
  return { source: lines.slice(start).join("\n").trimEnd(), line: first + start };
}

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
