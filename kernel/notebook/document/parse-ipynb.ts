import { isRecord } from "../../../lib/interpolation/mod.ts";
import { createCellIds } from "./cell-ids.ts";
import { type Document, type DocumentCell, DocumentError } from "./document.ts";

type Json = Readonly<Record<string, unknown>>;

/** The languages of notebooks that can be run. */
const LANGUAGES = new Set(["typescript", "javascript", "http", "restlab"]);

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
