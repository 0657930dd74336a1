import { checkHeader, copiedCommand, type ParsedCurl, type Reader, readCopied } from "./reader.ts";
import type { Report } from "./words.ts";

/** A line that begins a call of `fetch`. In a cell it is TypeScript. */
export const FETCH: RegExp = /^\s*(?:await[ \t]+)?fetch\(/i;

/** Whether a call of `fetch` has an open parenthesis, so that more has to follow. */
export function isFetchOpen(text: string): boolean {
  if (!FETCH.test(text)) return false;
  const plain = text.replace(/"(?:[^"\\\n]|\\[\s\S]?)*"?/g, "");
  return plain.split("(").length > plain.split(")").length;
}

/** Reads `fetch("…", {…})`, as "Copy as fetch" of Chrome, Edge, Firefox and Safari write it: its options are JSON. */
export function parseFetch(source: string, start: number, report: Report): ParsedCurl {
  return readCopied(source, start, "Copy as fetch", report, (reader) => {
    reader.expect(/(?:await[ \t]+)?fetch\(\s*/y, "a call of fetch");
    const [text] = reader.expect(/"(?:[^"\\\n]|\\.)*"/y, "a URL in double quotes");
    const url = parseJson(reader, text, reader.at - text.length);
    const hasOptions = reader.take(/\s*,\s*(?=\{)/y) !== undefined;
    const at = reader.at;
    const options = hasOptions ? parseJson(reader, takeObject(reader), at) : {};
    reader.expect(/\s*\)/y, "the options of fetch, or a closing parenthesis");
    return toCommand(reader, String(url), options as object, at);
  });
}

function parseJson(reader: Reader, text: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A SyntaxError: its message would quote values.
    return reader.fail("JSON, with names and texts in double quotes", at);
  }
}

/** A text, a brace, or what is between them; JSON as browsers write it has no blank lines. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}]|(?:[^"{}\n]|\n(?![ \t\r]*\n))+/y;

/** Takes an object up to its closing brace. */
function takeObject(reader: Reader): string {
  const start = reader.at;
  let depth = 0;
  do {
    const [token] = reader.take(TOKEN) ?? reader.fail("JSON up to a closing brace", start);
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
  } while (depth > 0);
  return reader.source.slice(start, reader.at);
}

/** Options that say what a browser may do, not what is sent. */
const UNSENT: ReadonlySet<string> = new Set([
  "mode",
  "credentials",
  "cache",
  "referrerPolicy",
  "keepalive",
  "priority",
]);

function toCommand(
  reader: Reader,
  url: string,
  options: object,
  at: number,
): ReturnType<typeof copiedCommand> {
  let method = "GET";
  let body: string | undefined;
  let follows = true;
  const headers: (readonly [string, string])[] = [];
  const referrers: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    const text = (): string =>
      typeof value === "string" ? value : reader.fail(`a text as "${name}"`, at);
    if (name === "method") method = text();
    else if (name === "body") body = value === null ? undefined : text();
    else if (name === "headers") headers.push(...readHeaders(reader, value, at));
    else if (name === "referrer") referrers.push(text());
    else if (name === "redirect" && /^(?:follow|manual)$/.test(text()))
      follows = value === "follow";
    else if (!UNSENT.has(name)) reader.fail(`no option "${name}" of fetch`, at);
  }
  const has = (lower: string): boolean => headers.some(([name]) => name.toLowerCase() === lower);
  const [referrer = ""] = referrers;
  if (/^https?:/.test(referrer) && !has("referer")) headers.push(["Referer", referrer]);
  if (body !== undefined && !has("content-type")) {
    headers.push(["Content-Type", "text/plain;charset=UTF-8"]);
  }
  return { ...copiedCommand({ method, url, headers, body }), follows };
}

function readHeaders(
  reader: Reader,
  value: unknown,
  at: number,
): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return reader.fail('an object as "headers"', at);
  }
  return Object.entries(value).map(([name, text]) => {
    checkHeader(reader, name, at);
    if (typeof text !== "string") reader.fail(`a text as the header "${name}"`, at);
    return [name, text] as const;
  });
}
