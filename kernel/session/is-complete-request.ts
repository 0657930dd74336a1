import { beginsAsJson } from "../../lib/request/mod.ts";
import type { IsComplete } from "./cell/mod.ts";

/** Methods that are sent without a body unless a header says that there is one. */
const BODILESS = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT|WEBSOCKET|WS)$/i;
const BODY_HEADER = /^\s*(?:content-type|content-length|transfer-encoding)\s*:/i;
const MULTIPART = /^\s*content-type\s*:\s*multipart\/[^\n]*\bboundary="?([^";\s]+)/i;
const CURL = /^\s*(?:\$\s+)?curl(?:\.exe)?(?:\s|$)/i;
const COMPLETE: IsComplete = { status: "complete" };
const INCOMPLETE: IsComplete = { status: "incomplete", indent: "" };

/**
 * Whether a request text that is typed line by line is whole when Enter is pressed at its end: a request
 * line alone if the method has no body, with or without query lines; headers followed by an empty line; a
 * JSON body that closes; a multipart body up to its last boundary; any other body followed by an empty line.
 * Of several requests the last one counts. Two empty lines end any of them.
 *
 * @param text The text up to its end, with or without a line `%%http`.
 */
export function isCompleteRequest(text: string): IsComplete {
  if (/\n[ \t]*\r?\n[ \t]*$/.test(text)) return COMPLETE;
  const lines = lastRequest(text.replace(/^\uFEFF?\s*%%http[^\n]*\n?/, "").split(/\r\n?|\n/));
  const start = lines.findIndex(isRequestLine);
  if (start === -1) return isPrefaceComplete(lines) ? COMPLETE : INCOMPLETE;
  const request = lines.slice(start);
  if (CURL.test(request[0] ?? "")) return isCurlComplete(request) ? COMPLETE : INCOMPLETE;
  const blank = request.findIndex((line, index) => index > 0 && line.trim() === "");
  const head = (blank === -1 ? request : request.slice(0, blank)).filter(isNoQuery);
  const method = /^\s*([A-Za-z][\w-]*)\s/.exec(request[0] ?? "")?.[1] ?? "GET";
  const takesBody = !BODILESS.test(method) || head.some((line) => BODY_HEADER.test(line));
  if (blank === -1) return head.length === 1 && !takesBody ? COMPLETE : INCOMPLETE;
  return takesBody ? isBodyComplete(request.slice(blank + 1).join("\n"), head) : COMPLETE;
}

/** As in a shell: more has to come after a line continuation, and within quotes. */
function isCurlComplete(lines: readonly string[]): boolean {
  const text = lines.join("\n").trimEnd();
  if (/[\\^]$/.test(text)) return false;
  // Browsers escape quotes with a caret when they copy for cmd: only the ends of lines count there.
  if (/\^"/.test(text)) return true;
  const rest = text.replace(/\\[\s\S]|\$?'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/g, "");
  return !/["']/.test(rest);
}

function lastRequest(lines: readonly string[]): readonly string[] {
  const separator = lines.findLastIndex((line) => /^\s*###/.test(line));
  return lines.slice(separator === -1 ? 0 : separator);
}

const isRequestLine = (line: string): boolean => /^\s*[^\s#@/%]/.test(line);
const isNoQuery = (line: string): boolean => !/^\s*[?&]/.test(line);

/** Variable lines are complete in themselves; a name or a title waits for its request. */
function isPrefaceComplete(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  return !/^\s*(?:###|(?:#+|\/\/+)\s*@)/.test(last);
}

function isBodyComplete(body: string, head: readonly string[]): IsComplete {
  if (body.trim() === "") return INCOMPLETE;
  const [boundary] = head.flatMap((line) => MULTIPART.exec(line)?.[1] ?? []);
  if (boundary !== undefined && body.trimStart().startsWith(`--${boundary}`)) {
    return body.includes(`--${boundary}--`) ? COMPLETE : INCOMPLETE;
  }
  if (/^\s*<@?[\w-]*\s+\S/.test(body)) return COMPLETE;
  if (!beginsAsJson(body)) return /\n[ \t]*$/.test(body) ? COMPLETE : INCOMPLETE;
  const depth = openBrackets(body);
  if (depth <= 0) return COMPLETE;
  return { status: "incomplete", indent: "  ".repeat(Math.min(depth, DEEPEST_INDENT)) };
}

/** A deeper indentation would only fill the line. */
const DEEPEST_INDENT = 20;

const TOKENS =
  /\{\{[ \t]*[\p{L}_$][^{}\n]*\}\}|"(?:[^"\\\n{]|\\.|\{\{[^{}\n]*\}\}|\{)*"?|[[\]{}]/gu;

/** How many brackets are open outside of strings and placeholders. */
function openBrackets(json: string): number {
  let depth = 0;
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
  }
  return depth;
}
