import type { Client } from "../../lib/mod.ts";
import { kindOfCell } from "../session/mod.ts";
import { type Document, DocumentError } from "./document/mod.ts";

/**
 * Prepares a client for a document: defines the named requests, which `# @ref` of an earlier cell may
 * name, and checks that the values of prompts are set, since a headless run cannot ask.
 *
 * @throws {DocumentError} Values of prompts are missing; the message names all of them.
 */
export function prepareClient(document: Document, client: Client): void {
  const sources = document.cells.flatMap(({ type, source }) => (type === "code" ? [source] : []));
  const named = sources.some((source) => REFERS.test(source))
    ? sources.filter((source) => NAMES.test(source))
    : [];
  for (const text of named.flatMap(requestText)) attempt(() => client.define(text));
  // As one text: a variable line of one cell may be the value of a prompt in the next.
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

// Most documents need neither, and parsing a long one twice takes a noticeable time.
/** Something that may refer to a request by its name. */
const REFERS = /@(?:force-?)?ref\b|\{\{[^{}]*[.[]|\bimport\b|^[ \t]*run[ \t]/im;
const NAMES = /@name\b|^[ \t]*###.*[^#\s]/m;
const ASKS = /[@$](?:prompt|input|password|note)\b/;

function requestText(source: string): readonly string[] {
  const cell = attempt(() => kindOfCell(source));
  return cell?.kind === "request" ? [cell.text.replace(/^\uFEFF?\s*%%http(?!\S)/, "")] : [];
}

/** Ignores faults: they are reported when the cell is run. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
