import { extname } from "node:path";
import { NOTEBOOK_METADATA, REQUEST_LANGUAGE } from "../session/cell/mod.ts";
import { createCellIds, type Document, type DocumentCell, readCell } from "./document.ts";
import { DocumentError } from "./errors.ts";
import type { CellRun, Output } from "./outputs.ts";

/**
 * Renders texts as the cells of a document, in the format of the path's extension.
 *
 * @throws {DocumentError} No format has that extension.
 */
export function renderEntries(path: string, entries: readonly string[]): string {
  const render = RENDERERS.get(extname(path).slice(1).toLowerCase());
  if (render === undefined) {
    throw new DocumentError(
      `Writing "${path}" failed: its name does not end in .ipynb, .http or .rest`,
    );
  }
  const idOf = createCellIds();
  const cells = entries.map(
    (source, index) =>
      ({ type: "code", id: idOf(undefined, index), source, metadata: {} }) as const,
  );
  return render({ path, metadata: {}, cells });
}

const RENDERERS: ReadonlyMap<string, (document: Document) => string> = new Map([
  ["ipynb", (document: Document) => renderIpynb(document, new Map())],
  ["http", renderHttp],
  ["rest", renderHttp],
]);

/** Renders the cells of a document as a `.http` file, with `###` between requests. */
function renderHttp({ cells }: Document): string {
  const chunks = cells.map(({ source }) => source.trim());
  const text = chunks.reduce((before, chunk) =>
    // A cell may begin with a separator, which may have a title.
    chunk.startsWith("###") ? `${before}\n\n${chunk}` : `${before}\n\n###\n${chunk}`,
  );
  return `${text}\n`;
}

/**
 * Renders a document with its outputs as a notebook (nbformat 4.5), formatted as by Jupyter, so that a
 * diff shows only real changes.
 *
 * @param runs By cell id; a code cell without a run is written as not run.
 */
export function renderIpynb(document: Document, runs: ReadonlyMap<string, CellRun>): string {
  const cells = document.cells.map((cell) => renderCell(cell, runs.get(cell.id)));
  return [...ipynbParts(cells, document.metadata)].join("");
}

/**
 * Renders a notebook cell by cell, for one that is large.
 *
 * @param cells As {@link renderCell} makes them.
 */
export function* ipynbParts(cells: Iterable<object>, metadata: Metadata): Generator<string> {
  const rest = { metadata: { ...NOTEBOOK_METADATA, ...metadata }, nbformat: 4, nbformat_minor: 5 };
  let before = "\n  ";
  yield '{\n "cells": [';
  for (const cell of cells) {
    yield before + JSON.stringify(cell, sortKeys, 1).replaceAll("\n", "\n  ");
    before = ",\n  ";
  }
  const end = before === "\n  " ? "]" : "\n ]";
  yield `${end},${JSON.stringify(rest, sortKeys, 1).slice(1)}\n`;
}

/** A cell of nbformat 4.5. */
export function renderCell(cell: DocumentCell, run: CellRun | undefined): object {
  return {
    cell_type: cell.type,
    id: cell.id,
    metadata: cellMetadata(cell),
    source: toLines(cell.source),
    ...(cell.attachments === undefined ? {} : { attachments: cell.attachments }),
    ...(cell.type === "code"
      ? { execution_count: run?.count ?? null, outputs: (run?.outputs ?? []).map(renderOutput) }
      : {}),
  };
}

function renderOutput(output: Output): object {
  if (output.output_type === "stream") return { ...output, text: toLines(output.text) };
  if (!("data" in output)) return output;
  const data = Object.entries(output.data).map(([type, content]) => [
    type,
    toStored(type, content),
  ]);
  return { ...output, data: Object.fromEntries(data) };
}

/** Text is stored as lines, JSON unchanged, and anything else (base64) as one string. */
function toStored(mediaType: string, content: unknown): unknown {
  const isText = mediaType.startsWith("text/") || mediaType === "image/svg+xml";
  return isText && typeof content === "string" ? toLines(content) : content;
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Metadata = Readonly<Record<string, unknown>>;

/** The lexer by which nbconvert colours requests: names before a colon or a blank, and what follows them. */
const REQUEST_LEXER = "properties";

/**
 * The metadata of a cell with its language for VS Code, in the form in which VS Code saves it, and for nbconvert.
 * Without them, both read requests as TypeScript, and VS Code reports them as errors.
 */
function cellMetadata(cell: DocumentCell): Metadata {
  if (cell.type !== "code") return cell.metadata;
  const { vscode, magics_language: lexer, ...others } = cell.metadata;
  const { languageId, ...kept } = (vscode ?? {}) as Metadata;
  if (isTypescript(cell)) {
    // Another language is a person's choice.
    if (languageId !== REQUEST_LANGUAGE) return cell.metadata;
    return Object.keys(kept).length === 0 ? others : { ...others, vscode: kept };
  }
  return {
    ...others,
    magics_language: lexer ?? REQUEST_LEXER,
    vscode: { ...kept, languageId: REQUEST_LANGUAGE },
  };
}

/** A cell with nothing but settings such as `%env test` is not TypeScript either. */
function isTypescript(cell: DocumentCell): boolean {
  const { kind, source } = readCell(cell);
  return kind === "typescript" || (kind === "empty" && !source.trimStart().startsWith("%"));
}
