import type { Client } from "../../lib/mod.ts";
import { kindOfCell } from "../session/mod.ts";
import { type Document, DocumentError } from "./document/mod.ts";

/**
 * Tells a client what a document holds before its first cell is run: requests that `# @ref` of an
 * earlier cell may name, and values that are asked for, since a headless run has nobody to ask.
 *
 * @throws {DocumentError} Values are needed that no variable has; all of them are named.
 */
export function introduce(document: Document, client: Client): void {
  const sources = document.cells.flatMap(({ type, source }) => (type === "code" ? [source] : []));
  const named = sources.some((source) => REFERS.test(source))
    ? sources.filter((source) => NAMES.test(source))
    : [];
  for (const text of named.flatMap(requestText)) attempt(() => client.define(text));
  // Lines of variables in one cell are answers in the next, so that the texts are read as one.
  const needed = sources.some((source) => ASKS.test(source))
    ? (attempt(() => client.needs(sources.flatMap(requestText).join("\n\n###\n"))) ?? [])
    : [];
  if (needed.length === 0) return;
  const listed = needed.map((name) => `"${name}"`).join(", ");
  const note = needed.includes("confirm") ? '; confirm=yes sends what a "# @note" asks about' : "";
  throw new DocumentError(
    `Running "${document.path}" failed: it asks for ${listed}; give values with --var NAME=VALUE${note}`,
  );
}

// Looked for before a text is parsed: most of a thousand requests ask for nothing.
/** A name is of use where something refers to it, or where code comes along that may. */
const REFERS = /@(?:force)?ref\b|\{\{[^{}]*[.[]|\bimport\b/i;
const NAMES = /@name\b/;
const ASKS = /[@$](?:prompt|input|password|note)\b/;

function requestText(source: string): readonly string[] {
  const cell = attempt(() => kindOfCell(source));
  return cell?.kind === "request" ? [cell.text.replace(/^\uFEFF?\s*%%http(?!\S)/, "")] : [];
}

/** What is wrong with a text is told when its cell is run. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
