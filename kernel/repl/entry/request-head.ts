import { type ParsedText, readText } from "../../../lib/mod.ts";
import type { Cell } from "../../session/mod.ts";

type RequestCell = Extract<Cell, { readonly kind: "request" }>;

/**
 * Parses the requests of a cell, and inserts a missing empty line above each line that can only begin a body.
 *
 * @returns The same text if no line is missing, or if inserting one repairs nothing.
 * @example `POST /users⏎{"a": 1}` becomes `POST /users⏎⏎{"a": 1}`
 */
export function parseTyped(cell: RequestCell): RequestCell {
  let { text, source, parsed = readText(text) } = cell;
  let doubts = doubtsOf(parsed);
  for (let count = 0; count < MAX_LINES; count++) {
    const at = doubts.map(({ span }) => lineStart(text, span.start)).find(beginsBody(text));
    if (at === undefined) break;
    const repaired = insertLine(text, at);
    const reparsed = readText(repaired);
    const left = doubtsOf(reparsed);
    if (left.length >= doubts.length) break;
    source = insertLine(source, at);
    text = repaired;
    parsed = reparsed;
    doubts = left;
  }
  return { ...cell, text, source, parsed };
}

const insertLine = (text: string, at: number): string => `${text.slice(0, at)}\n${text.slice(at)}`;

/** More requests are pasted, not typed: their faults are reported. */
const MAX_LINES = 100;

/**
 * Whether the last request has a fault above its body, which no further line can repair.
 *
 * @example `PUT /users/1 {"a": 1}` has a fault in its request line
 */
export function isInvalidAboveBody({ text, parsed = readText(text) }: RequestCell): boolean {
  const end = headEnd(text);
  return end !== undefined && (parsed.failure?.faults ?? []).some(({ span }) => span.start < end);
}

const CURL = /^\s*(?:\$\s+)?curl(?:\.exe)?(?:\s|$)/i;

/** Where the headers of the last request end; nothing for a curl command, or without a request. */
function headEnd(text: string): number | undefined {
  let hasLine = false;
  let end: number | undefined;
  let offset = 0;
  for (const line of text.split("\n")) {
    if (/^\s*###/.test(line)) {
      hasLine = false;
      end = undefined;
    } else if (!hasLine && /^\s*[^\s#@/%]/.test(line)) {
      if (CURL.test(line)) return undefined;
      hasLine = true;
    } else if (hasLine && end === undefined && line.trim() === "") end = offset;
    offset += line.length + 1;
  }
  return hasLine ? (end ?? text.length) : undefined;
}

/** The beginning of JSON, XML, a form, a placeholder or a file, but not of a header. */
const BODY = /[ \t]*(?!\{\{[^{}]*\}\}[\w-]*:)(?:[{[<"]|[\w.%+-]+=)/y;

const beginsBody =
  (text: string) =>
  (start: number): boolean => {
    BODY.lastIndex = start;
    return start > 0 && BODY.test(text);
  };

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

type Spans = readonly { readonly span: { readonly start: number } }[];

/** The faults of a text, or else what is doubtful about the bodies of its requests. */
function doubtsOf(parsed: ParsedText): Spans {
  if (parsed.failure !== undefined) return parsed.failure.faults;
  return parsed.statements
    .flatMap((entry) => (entry.kind === "request" ? (entry.remarks ?? []) : []))
    .filter(({ code }) => code === "body");
}
