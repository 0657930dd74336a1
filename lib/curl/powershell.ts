import { checkHeader, copiedCommand, type ParsedCurl, type Reader, readCopied } from "./reader.ts";
import type { Report } from "./words.ts";

/** A line that begins a command of PowerShell, as browsers copy it. */
export const POWERSHELL: RegExp =
  /^\s*(?:Invoke-WebRequest\s+-|\$session\s*=\s*New-Object\s+Microsoft\.PowerShell\.)/i;

/** Whether more of a command of PowerShell has to follow: below its session, after a backtick, or in braces. */
export function isPowerShellOpen(text: string): boolean {
  if (!POWERSHELL.test(text)) return false;
  const command = text.search(/^[ \t]*Invoke-WebRequest\s/im);
  if (command === -1) return true;
  const plain = text
    .slice(command)
    .replace(/"(?:[^"`]|`[\s\S]?)*("?)/g, (_, end) => (end === "" ? '"' : ""));
  const isInBraces = plain.lastIndexOf("@{") > plain.lastIndexOf("}");
  return plain.trimEnd().endsWith("`") || plain.includes('"') || isInBraces;
}

/** What is written of a request so far. */
interface Request {
  url?: string;
  method?: string;
  body?: string;
  contentType?: string;
  userAgent?: string;
  readonly cookies: string[];
  readonly headers: (readonly [name: string, value: string])[];
}

/** Reads `Invoke-WebRequest …` with its session, as "Copy as PowerShell" of Chrome, Edge and Firefox write it. */
export function parsePowerShell(source: string, start: number, report: Report): ParsedCurl {
  return readCopied(source, start, "Copy as PowerShell", report, (reader) => {
    const request: Request = { cookies: [], headers: [] };
    while (reader.take(/Invoke-WebRequest(?=\s)/iy) === undefined) readSession(reader, request);
    while (reader.take(/(?:[ \t]|`\r?\n)*-(?=\w)/y) !== undefined) readOption(reader, request);
    const { url, method, body, headers } = request;
    if (url === undefined) return reader.fail("-Uri with a URL");
    return copiedCommand({
      url,
      method: method ?? "GET",
      headers: [...withoutPseudo(headers), ...ownHeaders(request)],
      body,
    });
  });
}

/** Reads a statement about `$session`. */
function readSession(reader: Reader, request: Request): void {
  const wanted = "$session.UserAgent, $session.Cookies.Add or Invoke-WebRequest";
  const [, member] = reader.expect(
    /\$session(\.UserAgent\s*=|\.Cookies\.Add\(\(|\s*=(?=\s*New-Object Microsoft\.PowerShell\.Commands\.WebRequestSession))\s*/iy,
    wanted,
  );
  if (/^\.U/i.test(member ?? "")) request.userAgent = readText(reader);
  else if (/^\./.test(member ?? "")) request.cookies.push(readCookie(reader));
  else reader.expect(/New-Object Microsoft\.PowerShell\.Commands\.WebRequestSession/iy, wanted);
  reader.expect(/[ \t]*;?[ \t]*\r?\n\s*/y, "the next line");
}

/** The name and the value; the path and the domain are those of the request that was copied. */
function readCookie(reader: Reader): string {
  reader.expect(/New-Object System\.Net\.Cookie\(\s*/iy, "a cookie");
  const fields = [readText(reader)];
  while (reader.take(/\s*,\s*/y) !== undefined) fields.push(readText(reader));
  reader.expect(/\s*\)\)\)/y, "three closing parentheses");
  return `${fields[0]}=${fields[1] ?? ""}`;
}

const GAP = /(?:[ \t]|`\r?\n)+/y;

function readOption(reader: Reader, request: Request): void {
  const at = reader.at;
  const [name] = reader.expect(/\w+/y, "an option");
  const option = name.toLowerCase();
  if (option === "usebasicparsing") return;
  reader.expect(GAP, `a value after -${name}`);
  if (option === "uri") request.url = readText(reader);
  else if (option === "method") request.method = reader.take(/[A-Za-z]+/y)?.[0] ?? readText(reader);
  else if (option === "websession") reader.expect(/\$session(?!\w)/iy, "$session");
  else if (option === "useragent") request.userAgent = readText(reader);
  else if (option === "contenttype") request.contentType = readText(reader);
  else if (option === "headers") readHeaders(reader, request);
  else if (option === "body") request.body = readBody(reader);
  else reader.fail(`no option -${name} of Invoke-WebRequest`, at);
}

function readHeaders(reader: Reader, { headers }: Request): void {
  reader.expect(/@\{\s*/y, "headers in @{…}");
  while (reader.take(/\}/y) === undefined) {
    const at = reader.at;
    const name = readText(reader);
    reader.expect(/\s*=\s*/y, "= and the value of the header");
    checkHeader(reader, name, at);
    headers.push([name, readText(reader)]);
    reader.take(/[\s;]+/y);
  }
}

function readBody(reader: Reader): string {
  const isBytes = reader.take(/\(\[System\.Text\.Encoding\]::UTF8\.GetBytes\(\s*/iy) !== undefined;
  const text = readText(reader);
  if (isBytes) reader.expect(/\s*\)\)/y, "two closing parentheses");
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", 0: "\0" };

/** Reads a text in double quotes, with a backtick before what has a meaning, and `$([char]10)` for a character. */
function readText(reader: Reader): string {
  const [, text = ""] = reader.expect(
    /"((?:[^"`$]|`[\s\S]|\$\(\[char\]\d{1,5}\))*)"/iy,
    "a text in double quotes, without variables",
  );
  return text.replace(
    /`([\s\S])|\$\(\[char\](\d+)\)/gi,
    (_, escaped: string | undefined, code: string) =>
      escaped === undefined ? String.fromCharCode(Number(code)) : (ESCAPES[escaped] ?? escaped),
  );
}

/** The names of what HTTP/2 sends before the headers, which Chrome copies without their colons. */
const PSEUDO = ["authority", "method", "path", "scheme"];

function withoutPseudo(headers: Request["headers"]): Request["headers"] {
  const names = new Set(headers.map(([name]) => name));
  const hasAll = PSEUDO.every((name) => names.has(name));
  return hasAll ? headers.filter(([name]) => !PSEUDO.includes(name)) : headers;
}

/** The headers that have options and members of their own. */
function ownHeaders({ userAgent, cookies, contentType, body }: Request): Request["headers"] {
  const type = contentType ?? (body === undefined ? undefined : FORM);
  return [
    ...(userAgent === undefined ? [] : [["User-Agent", userAgent] as const]),
    ...(cookies.length === 0 ? [] : [["Cookie", cookies.join("; ")] as const]),
    ...(type === undefined ? [] : [["Content-Type", type] as const]),
  ];
}

/** The type that PowerShell gives a body without one. */
const FORM = "application/x-www-form-urlencoded";
