import type { Span } from "../interpolation/mod.ts";
import type { CurlBody, CurlCommand, CurlPiece, State } from "./command.ts";
import { joinData, queryOf } from "./data.ts";
import { connectionOf } from "./effects.ts";
import { nameOfFile } from "./file-names.ts";
import type { Report, Word } from "./words.ts";

/** Creates the command of all options, and reports options that exclude each other. */
export function toCommand(state: State, span: Span, report: Report): CurlCommand | undefined {
  const [first, second] = state.urls;
  if (first === undefined) {
    report(span, "The command has no URL", "Write one after curl");
    return undefined;
  }
  if (second !== undefined) {
    report(
      second.span,
      `The command has a second URL "${second.text}"`,
      "Write one command for each URL",
    );
  }
  checkGlob(first, state, report);
  const kinds = [state.data.length > 0, state.fields.length > 0, state.uploads];
  if (kinds.filter(Boolean).length > 1) {
    const hint = "Use only one of -d, -F and -T";
    report(span, "The command has several kinds of bodies", hint);
  }
  if (state.isGet && (state.fields.length > 0 || state.uploads !== undefined)) {
    report(span, "-G puts the data of -d into the URL, and no other body", "Remove -G, -F or -T");
  }
  if (state.isHead && kinds.some(Boolean) && !state.isGet) {
    report(span, "A HEAD request cannot have a body", "Remove -I or the data");
  }
  const query = queryOf([...state.query, ...(state.isGet ? state.data : [])], span, report);
  const body = state.isGet ? undefined : bodyOf(state);
  const url = urlOf(state, first.text, query);
  const hasFiles = query.some((piece) => "path" in piece);
  const output = state.output ?? (state.savesByName ? remoteName(url) : undefined);
  if (state.resumes && output === undefined) {
    report(span, "-C continues a file, and the command names none", "Add -O, or -o and a path");
  }
  return {
    method: state.method ?? (state.isHead ? "HEAD" : methodFor(state, body)),
    url,
    query: hasFiles ? query : undefined,
    ...headersOf(state, body),
    body,
    follows: state.follows === true,
    redirectLimit: state.redirectLimit,
    connection: connectionOf(
      // curl saves the bytes as they come, unless it has asked for compressed ones.
      output === undefined || state.isCompressed
        ? state.connection
        : { ...state.connection, decompress: false },
    ),
    cookieFiles: state.cookieFiles,
    cookieJar: state.cookieJar,
    seconds: state.seconds,
    retries: state.retries,
    output,
    resume: state.resumes,
    fails: state.fails,
    writeOut: state.writeOut,
    span,
  };
}

function methodFor(state: State, body: CurlBody | undefined): string {
  if (state.uploads !== undefined) return "PUT";
  return body === undefined ? "GET" : "POST";
}

function bodyOf(state: State): CurlBody | undefined {
  if (state.uploads !== undefined) return { kind: "file", path: state.uploads };
  if (state.fields.length > 0) return { kind: "form", fields: state.fields };
  const pieces = joinData(state.data);
  const [first, second] = pieces;
  if (first === undefined) return undefined;
  if (second !== undefined || ("path" in first && first.change !== undefined)) {
    return { kind: "pieces", pieces };
  }
  return "text" in first ? { kind: "text", text: first.text } : { kind: "file", path: first.path };
}

/** The written headers, those that options make unless they are written, and those that are not to be added. */
function headersOf(
  state: State,
  body: CurlBody | undefined,
): Pick<CurlCommand, "headers" | "without"> {
  const { cookies, user, headers } = state;
  const made = new Map(state.made);
  // Those of `-b` yield to a written header like the others.
  if (cookies.length > 0) made.set("Cookie", cookies.join(";"));
  if (user !== undefined && !made.has("Authorization")) {
    made.set("Authorization", SCHEMES[state.scheme](user, state));
  }
  const hasData = state.data.length > 0 && body !== undefined;
  if (state.isJson) made.set("Content-Type", "application/json").set("Accept", "application/json");
  else if (hasData && !made.has("Content-Type"))
    made.set("Content-Type", "application/x-www-form-urlencoded");
  const written = new Set(headers.map(([name]) => name.toLowerCase()));
  const removed = state.isCompressed ? state.removed : [...state.removed, "accept-encoding"];
  const without = new Set([...removed].filter((name) => !written.has(name)));
  const others: CurlCommand["headers"][number][] = [];
  for (const [name, value] of made) {
    const lower = name.toLowerCase();
    if (written.has(lower) || without.has(lower)) continue;
    if (value === undefined) without.add(lower);
    else others.push([name, value]);
  }
  return { headers: [...headers.filter(isFirstHost), ...others], without: [...without] };
}

/** Two hosts are no request: curl sends the first one. */
function isFirstHost(
  [name]: readonly [string, string],
  at: number,
  all: State["headers"],
): boolean {
  return !/^host$/i.test(name) || all.findIndex(([other]) => /^host$/i.test(other)) === at;
}

/** The `Authorization` line of each scheme; the client handles `Digest` and `AWS`. */
const SCHEMES: { readonly [S in State["scheme"]]: (user: string, state: State) => string } = {
  basic: basicOf,
  digest: (user) => `Digest ${pairOf(user)}`,
  aws: (user, { signedFor }) => `AWS ${pairOf(user)} ${signedFor}`.trimEnd(),
};

/** `name password`. With a colon, a name with spaces would be ambiguous. */
function pairOf(user: string): string {
  const [, name = user, password = ""] = /^([^:]*):([\s\S]*)$/.exec(user) ?? [];
  return password === "" ? `${name}:` : `${name} ${password}`;
}

/** With placeholders, the client encodes `Basic name password` after rendering. */
function basicOf(user: string): string {
  if (user.includes("{{")) return `Basic ${user.includes(":") ? pairOf(user) : user}`;
  const pair = user.includes(":") ? user : `${user}:`;
  const bytes = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte));
  return `Basic ${btoa(bytes.join(""))}`;
}

/** The defaults of curl: http, and the name of the upload after a trailing slash or a host. */
function urlOf(state: State, written: string, query: readonly CurlPiece[]): string {
  const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(written) || written.startsWith("{{");
  const whole = isWhole ? written : `http://${written}`;
  const isFolder = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*|.*\/)$/is.test(whole);
  const slash = whole.endsWith("/") ? "" : "/";
  const url =
    state.uploads !== undefined && isFolder
      ? `${whole}${slash}${encodeURIComponent(nameOfFile(state.uploads))}`
      : whole;
  const isFixed = query.every((piece) => "text" in piece);
  const text = isFixed ? query.map((piece) => piece.text).join("") : "";
  if (isFixed && text === "") return url;
  const [base = "", ...hash] = url.split("#");
  const joint = !base.includes("?") ? "?" : /[?&]$/.test(base) ? "" : "&";
  // No server sees what is after the hash, and a query with files is added at the end.
  return [`${base}${joint}${text}`, ...(isFixed ? hash : [])].join("#");
}

/** The file name of `-O`. */
function remoteName(url: string): string {
  const name = /^[^?#]*\/([^/?#]+)(?:[?#]|$)/.exec(
    url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, ""),
  );
  return name?.[1] ?? "curl_response";
}

/** Reports `[1-3]` and `{a,b}`, which curl expands to several requests. It sends `[]` as it is. */
function checkGlob(word: Word, { isLiteral }: State, report: Report): void {
  if (isLiteral) return;
  const plain = word.text
    .replace(/\{\{[^{}]*\}\}|\[\]/g, "")
    .replace(/^[a-z]*:\/\/\[[\da-f:.%]*\]/i, "");
  const [found] = [between(plain, "[", "]"), between(plain, "{", "}")]
    .filter((range) => range !== undefined)
    .sort((one, other) => one.start - other.start);
  if (found === undefined) return;
  const hint = "Add -g if it is part of the URL, or write one request for each";
  report(
    word.span,
    `curl reads "${found.text}" in the URL as a pattern for several requests`,
    hint,
  );
}

/** The first range between two brackets. If the first bracket is not closed, no later one is. */
function between(
  text: string,
  open: string,
  close: string,
): { readonly start: number; readonly text: string } | undefined {
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(close, start);
  return end === -1 ? undefined : { start, text: text.slice(start, end + 1) };
}
