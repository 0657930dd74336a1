import { isFetchOpen, isPowerShellOpen } from "../../lib/curl/mod.ts";
import { beginsAsJson, type OutlineLine, readOutline } from "../../lib/request/mod.ts";
import type { IsComplete } from "./cell/mod.ts";

/** Methods that are sent without a body unless a header says that there is one. */
const BODILESS = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT|WEBSOCKET|WS)$/i;
const BODY_HEADER = /^(?:content-type|content-length|transfer-encoding)$/i;
const MULTIPART = /^\s*content-type\s*:\s*multipart\/[^\n]*\bboundary="?([^";\s]+)/i;
const COMPLETE: IsComplete = { status: "complete" };
const INCOMPLETE: IsComplete = { status: "incomplete", indent: "" };

/**
 * Whether a request text that is typed line by line is whole when Enter is pressed at its end: a request
 * line alone if the method has no body, with or without query lines; headers followed by an empty line; a
 * JSON body that closes; a multipart body up to its last boundary; any other body followed by an empty line.
 * Of several requests the last one counts. Two empty lines end any of them.
 *
 * @param text The text up to its end, with or without a line `%%http`.
 * @param outline Its lines, if they have been read.
 */
export function isCompleteRequest(text: string, outline?: readonly OutlineLine[]): IsComplete {
  if (/\n[ \t]*\r?\n[ \t]*$/.test(text)) return COMPLETE;
  const { first, head, blank } = lastRequest(outline ?? [...readOutline(text)]);
  if (first === undefined) {
    // Variable lines are complete in themselves; a name or a title waits for its request.
    const last = head.findLast(({ kind }) => kind !== "blank")?.kind;
    return last === "separator" || last === "annotation" ? INCOMPLETE : COMPLETE;
  }
  if (!takesMore(head)) {
    const isAlone = head.every((line) => line === first || /^\s*[?&]/.test(line.text));
    const hasEnded = blank !== undefined || /\n[ \t]*$/.test(text) || first.kind === "curl";
    return isAlone || hasEnded ? COMPLETE : INCOMPLETE;
  }
  return blank === undefined ? INCOMPLETE : isBodyComplete(text.slice(blank.next), head);
}

/** Whether a body has to follow a request line and its headers, or more of a curl command. */
export function takesMore(head: readonly OutlineLine[]): boolean {
  const [first] = head;
  if (first?.kind === "curl") return !isCurlComplete(first.text);
  const isBodyHeader = ({ header }: OutlineLine): boolean =>
    header !== undefined && BODY_HEADER.test(header.name);
  return !BODILESS.test(first?.method ?? "GET") || head.some(isBodyHeader);
}

/** The last request of a text as far as it is written. */
export interface LastRequest {
  /** Its request line or curl command; `undefined` if the text ends before one. */
  readonly first: OutlineLine | undefined;
  /** Its lines up to the blank line below the headers, or those above the request that is missing. */
  readonly head: readonly OutlineLine[];
  /** The blank line below the headers. */
  readonly blank: OutlineLine | undefined;
}

/** Finds the request that a text ends with. */
export function lastRequest(lines: readonly OutlineLine[]): LastRequest {
  const at = lines.findLastIndex(
    ({ kind }) => kind === "request" || kind === "curl" || kind === "separator",
  );
  const last = lines[at];
  const rest = lines.slice(Math.max(at, 0));
  if (last?.request === undefined) return { first: undefined, head: rest, blank: undefined };
  const own = rest.filter(({ request }) => request === last.request);
  const end = own.findIndex(({ kind, isBelow }) => kind === "blank" && isBelow !== true);
  return { first: last, head: end === -1 ? own : own.slice(0, end), blank: own[end] };
}

/** As in a shell: more has to come after a line continuation, and within quotes. */
function isCurlComplete(command: string): boolean {
  if (isPowerShellOpen(command) || isFetchOpen(command)) return false;
  const text = command.trimEnd();
  if (/[\\^]$/.test(text)) return false;
  // Browsers escape quotes with a caret when they copy for cmd: only the ends of lines count there.
  if (/\^"/.test(text)) return true;
  const rest = text.replace(/\\[\s\S]|\$?'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/g, "");
  return !/["']/.test(rest);
}

function isBodyComplete(body: string, head: readonly OutlineLine[]): IsComplete {
  if (body.trim() === "") return INCOMPLETE;
  const boundary = multipartBoundary(head);
  if (boundary !== undefined && body.trimStart().startsWith(`--${boundary}`)) {
    return body.includes(`--${boundary}--`) ? COMPLETE : INCOMPLETE;
  }
  if (/^\s*<@?[\w-]*\s+\S/.test(body)) return COMPLETE;
  if (!beginsAsJson(body)) return /\n[ \t]*$/.test(body) ? COMPLETE : INCOMPLETE;
  const { depth } = scanJson(body, 0);
  if (depth <= 0) return COMPLETE;
  return { status: "incomplete", indent: "  ".repeat(Math.min(depth, DEEPEST_INDENT)) };
}

/** The boundary that a header of a request names. */
export function multipartBoundary(head: readonly OutlineLine[]): string | undefined {
  return head.flatMap(({ text }) => MULTIPART.exec(text)?.[1] ?? [])[0];
}

/** A deeper indentation would only fill the line. */
const DEEPEST_INDENT = 20;

const TOKENS =
  /\{\{[ \t]*%?[\p{L}_$][^{}\n]*\}\}|"(?:[^"\\\n{]|\\.|\{\{[^{}\n]*\}\}|\{)*"?|[[\]{}]/gu;

/** Scans JSON from an offset on for brackets outside of strings and placeholders, up to the depth `until` or to the end. */
function scanJson(
  json: string,
  from: number,
  until?: number,
): { readonly depth: number; readonly end: number } {
  let depth = 0;
  TOKENS.lastIndex = from;
  for (let found = TOKENS.exec(json); found !== null; found = TOKENS.exec(json)) {
    const [token] = found;
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (until !== undefined && depth <= until) return { depth, end: TOKENS.lastIndex };
  }
  return { depth, end: json.length };
}

/** Where the JSON value that begins at an offset ends; `undefined` if its brackets are not closed. */
export function endOfJson(json: string, from: number): number | undefined {
  const { depth, end } = scanJson(json, from, 0);
  return depth > 0 ? undefined : end;
}
