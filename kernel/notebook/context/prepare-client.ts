import type { Client } from "../../../lib/mod.ts";
import { kindOfCell } from "../../session/mod.ts";
import { type Document, type DocumentCell, DocumentError } from "../document/mod.ts";

/**
 * Prepares a client for a document: defines the named requests, which `# @ref` of an earlier cell may
 * name, and checks that the values of prompts are set, since a headless run cannot ask.
 *
 * @param isRun Whether a cell will be run; all by default.
 * @throws {DocumentError} Values of prompts are missing; the message names all of them.
 */
export function prepareClient(
  document: Document,
  client: Client,
  isRun: (cell: DocumentCell) => boolean = () => true,
): void {
  const cells = document.cells.filter(({ type }) => type === "code");
  const refers = cells.some(({ source }) => REFERS.test(source));
  // A cell whose script would have set a variable may fail, and a later one uses it.
  const named = cells.filter(
    ({ source }) => (refers && NAMES.test(source)) || SCRIPTS.test(source),
  );
  for (const cell of named) {
    for (const text of requestText(cell))
      attempt(() => client.define(text, { runsScripts: true, firstLine: cell.line }));
  }
  // As one text: a variable line of one cell may be the value of a prompt in the next.
  const run = cells.filter(isRun);
  const needed = run.some(({ source }) => ASKS.test(source))
    ? (attempt(() => client.needs(run.flatMap(requestText).join("\n\n###\n"))) ?? [])
    : [];
  if (needed.length === 0) return;
  const listed = needed.map((name) => `"${name}"`).join(", ");
  const note = needed.includes("confirm") ? '; confirm=yes sends what a "# @note" asks about' : "";
  throw new DocumentError(
    `Running "${document.path}" failed: it asks for ${listed}; give values with --var NAME=VALUE${note}`,
  );
}

// Most documents need neither, and parsing a long one twice takes a noticeable time.
/** Something that may refer to a request by its name. */
const REFERS = /@(?:force-?)?ref\b|\{\{[^{}]*[.[]|\bimport\b|^[ \t]*run[ \t]/im;
const NAMES = /@name\b|^[ \t]*###.*[^#\s]/m;
const SCRIPTS = /^[ \t]*(?:[<>][ \t]*\{%|\{\{[+@#]*\w*[ \t]*$)/m;
const ASKS = /[@$](?:prompt|input|password|note)\b/;

function requestText({ source, line }: DocumentCell): readonly string[] {
  const cell = kindOfCell(source, line !== undefined);
  if (cell.kind !== "request") return [];
  return [cell.text.replace(/^\uFEFF?\s*%%http(?!\S)/, "")];
}

/** Ignores faults: they are reported when the cell is run. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
