import type { IsComplete } from "./outcome.ts";
import { readLastRequest } from "./request-place.ts";

const WITH_BODY = /^\s*(POST|PUT|PATCH|QUERY)\b/i;
const COMPLETE: IsComplete = { status: "complete" };
const INCOMPLETE: IsComplete = { status: "incomplete", indent: "" };

/**
 * Whether a request text that is typed line by line is whole. A request without body is sent at
 * once; one with headers ends with a blank line; one that takes a body goes on until its JSON
 * closes, or else until a blank line.
 */
export function isCompleteRequest(text: string): IsComplete {
  const { line, headers, body } = readLastRequest(text);
  if (line === undefined) return COMPLETE;
  const takesBody = WITH_BODY.test(line);
  if (body === undefined) return takesBody || headers.length > 0 ? INCOMPLETE : COMPLETE;
  if (!takesBody && body.trim() === "") return COMPLETE;
  const content = body.trim();
  if (content === "") return /\n[ \t]*\r?\n[ \t]*$/.test(text) ? COMPLETE : INCOMPLETE;
  if (/^[{[]/.test(content) && !content.startsWith("{{")) {
    const depth = openBrackets(content);
    if (depth <= 0 || /\n\s*\n\s*$/.test(body)) return COMPLETE;
    return { status: "incomplete", indent: "  ".repeat(depth) };
  }
  return /\n\s*$/.test(body) || content.startsWith("<") ? COMPLETE : INCOMPLETE;
}

/** How many brackets are open at the end of a JSON text with placeholders. */
function openBrackets(text: string): number {
  const outside = text.replace(/"(?:[^"\\\n]|\\.)*"/g, "").replace(/\{\{[^{}]*\}\}/g, "");
  const count = (pattern: RegExp): number => outside.match(pattern)?.length ?? 0;
  return count(/[{[]/g) - count(/[}\]]/g);
}
