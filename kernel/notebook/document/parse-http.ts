import { createCellIds } from "./cell-ids.ts";
import type { Document, DocumentCell } from "./document.ts";

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
