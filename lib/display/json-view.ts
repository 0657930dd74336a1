import type { Block } from "./block.ts";
import { isScalar } from "./cell.ts";
import { compactJson, cutText } from "./compact.ts";
import type { Limits } from "./limits.ts";
import { viewStructure } from "./structure.ts";
import { viewText } from "./text-view.ts";

/** A parsed JSON body: a table, keys and values, or the text of one value. */
export function viewJson(value: unknown, limits: Limits): readonly Block[] {
  if (value === undefined) return [{ kind: "note", level: "info", text: "Empty body" }];
  if (isScalar(value)) {
    const text = typeof value === "string" ? value : compactJson(value, limits.text);
    return viewText(text, undefined, limits);
  }
  if (Array.isArray(value) && value.length === 0) {
    return [{ kind: "note", level: "info", text: "Empty list" }];
  }
  const block = viewStructure(value as object, limits);
  if (block.total === 0) return [{ kind: "note", level: "info", text: "Empty object" }];
  return [block];
}

/** A body that says it is JSON and is not: its text, and where it breaks. */
export function viewJsonError(text: string, error: unknown, limits: Limits): readonly Block[] {
  const reason = error instanceof Error ? error.message : String(error);
  const offset = /\bposition (\d+)/.exec(reason)?.[1];
  const place = offset === undefined ? "" : ` at ${placeOf(text, Number(offset))}`;
  const note = `The body is not valid JSON${place}: ${cutText(reason, limits.line)}`;
  return [{ kind: "note", level: "warning", text: note }, ...viewText(text, "json", limits)];
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `line ${line}, column ${offset - before.lastIndexOf("\n")}`;
}
