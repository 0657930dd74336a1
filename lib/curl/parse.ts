import { nearNames } from "../interpolation/mod.ts";
import type { CurlBody, CurlCommand } from "./command.ts";
import { EFFECTS, type State } from "./effects.ts";
import { findOption, longOptions } from "./options.ts";
import { type Report, splitWords, type Word } from "./words.ts";

/** A command that was read, and where the text goes on. */
export interface CurlReading {
  /** Nothing where something is wrong with it, which was reported. */
  readonly command: CurlCommand | undefined;
  readonly next: number;
}

/** Whether a line begins a curl command. */
export function startsAsCurl(line: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?(?=\s+(?:\^?["'$]|\\?\r?$|[-\w{[]|\^$|\\$))/i.test(line);
}

/**
 * Reads a curl command, as people write it and as browsers copy it. What cannot be done here, and
 * what would change what is sent without being understood, is reported; then there is no command.
 *
 * @param source The text.
 * @param start Where the command begins.
 * @param tell Notes what is wrong.
 */
export function parseCurl(source: string, start: number, tell: Report): CurlReading {
  let faults = 0;
  const report: Report = (span, message, hint) => {
    faults += 1;
    tell(span, message, hint);
  };
  const begin = start + (/^\s*(?:\$\s+)?/.exec(source.slice(start))?.[0].length ?? 0);
  const { words, next } = splitWords(source, begin, report);
  const state = readOptions(words.slice(1), report);
  const end = words.at(-1)?.span.end ?? begin;
  const span = { start: begin, end };
  const command = toCommand(state, span, report);
  return { command: faults === 0 ? command : undefined, next };
}

function readOptions(words: readonly Word[], report: Report): State {
  const state = emptyState();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    if (!/^-./.test(word.text)) {
      state.urls.push(word);
      continue;
    }
    for (const { spelling, value } of spellingsOf(word)) {
      const option = findOption(spelling) ?? negated(spelling);
      if (option === undefined) {
        report(word.span, `Unknown option "${spelling}" of curl`, hintFor(spelling));
        continue;
      }
      let argument = value;
      let place = word;
      if (option.takesValue && argument === undefined) {
        index += 1;
        const following = words[index];
        if (following === undefined) {
          report(word.span, `The option "${spelling}" has no value`, "Write one behind it");
          break;
        }
        argument = following.text;
        place = following;
      }
      if (option.kind === "refused") {
        const hint = HINTS[option.name] ?? "Take it out, if the request means the same without it";
        report(word.span, `The option "${spelling}" cannot be done here`, hint);
      } else if (option.kind === "used") {
        EFFECTS[option.name]?.(state, argument ?? "", place, report);
      }
    }
  }
  return state;
}

const HINTS: Readonly<Record<string, string>> = {
  next: "Write two commands with a line ### between them",
  insecure: "Let the client trust the certificate by its own option",
  proxy: "Give the client a proxy by its own option",
  digest: "Give the credentials to the client instead",
  "aws-sigv4": "Give the credentials to the client instead",
  cert: "Give the client a certificate by its own option",
};

/** `--no-silent` and kin, of options that change nothing that is sent. */
function negated(spelling: string): ReturnType<typeof findOption> {
  const option = spelling.startsWith("--no-") ? findOption(`--${spelling.slice(5)}`) : undefined;
  return option?.takesValue || option?.kind !== "ignored" ? undefined : option;
}

interface Spelling {
  readonly spelling: string;
  readonly value?: string;
}

/** `-sS` is two options, `-XPOST` one with its value. */
function* spellingsOf({ text }: Word): Generator<Spelling> {
  if (text.startsWith("--")) {
    yield { spelling: text };
    return;
  }
  for (let at = 1; at < text.length; at++) {
    const spelling = `-${text[at]}`;
    const takesValue = findOption(spelling)?.takesValue === true;
    const rest = text.slice(at + 1);
    yield takesValue && rest !== "" ? { spelling, value: rest } : { spelling };
    if (takesValue) return;
  }
}

function hintFor(spelling: string): string {
  const [near] = spelling.startsWith("--") ? nearNames(spelling, longOptions(), 1) : [];
  return near === undefined ? "Take it out, or write the request as text" : `Did you mean ${near}`;
}

function toCommand(
  state: State,
  span: { readonly start: number; readonly end: number },
  report: Report,
): CurlCommand | undefined {
  const [first, second] = state.urls;
  if (first === undefined) {
    report(span, "The command has no URL", "Write one behind curl");
    return undefined;
  }
  if (second !== undefined) {
    report(second.span, `A second URL "${second.text}"`, "Write a command for each of them");
  }
  checkGlob(first, state, report);
  const kinds = [state.data.length > 0, state.dataFile, state.fields.length > 0, state.uploads];
  if (kinds.filter(Boolean).length > 1) {
    const hint = "Leave one of -d, -d @file, -F and -T";
    report(span, "The command has bodies of several kinds", hint);
  }
  if (state.isHead && kinds.some(Boolean) && !state.isGet) {
    report(span, "A HEAD request has no body", "Leave out -I, or the data");
  }
  const query = [...state.query, ...(state.isGet ? state.data : [])];
  const body = state.isGet ? undefined : bodyOf(state);
  const url = urlOf(state, first.text, query);
  const output = state.output ?? (state.savesByName ? remoteName(url) : undefined);
  return {
    method: state.method ?? (state.isHead ? "HEAD" : methodFor(state, body)),
    url,
    headers: headersOf(state, body),
    body,
    follows: state.follows,
    ...(state.seconds === undefined ? {} : { seconds: state.seconds }),
    ...(state.retries === undefined ? {} : { retries: state.retries }),
    ...(output === undefined ? {} : { output }),
    span,
  };
}

function methodFor(state: State, body: CurlBody | undefined): string {
  if (state.uploads !== undefined) return "PUT";
  return body === undefined ? "GET" : "POST";
}

function bodyOf(state: State): CurlBody | undefined {
  const path = state.uploads ?? state.dataFile;
  if (path !== undefined) return { kind: "file", path };
  if (state.fields.length > 0) return { kind: "form", fields: state.fields };
  return state.data.length > 0 ? { kind: "text", text: state.data.join("&") } : undefined;
}

/** Without a scheme curl takes http; a slash at the end of the URL takes the name of the upload. */
function urlOf(state: State, written: string, query: readonly string[]): string {
  const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(written) || written.startsWith("{{");
  const whole = isWhole ? written : `http://${written}`;
  const url =
    state.uploads !== undefined && whole.endsWith("/")
      ? whole + encodeURIComponent(state.uploads.replace(/^.*\//, ""))
      : whole;
  if (query.length === 0) return url;
  const [base = "", ...hash] = url.split("#");
  const joint = !base.includes("?") ? "?" : /[?&]$/.test(base) ? "" : "&";
  return [`${base}${joint}${query.join("&")}`, ...hash].join("#");
}

function remoteName(url: string): string {
  const name = /^[^?#]*\/([^/?#]+)(?:[?#]|$)/.exec(
    url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, ""),
  );
  return name?.[1] ?? "curl_response";
}

function headersOf(state: State, body: CurlBody | undefined): CurlCommand["headers"] {
  const headers = [...state.headers];
  const has = (name: string): boolean =>
    state.removed.has(name) || headers.some(([it]) => it.toLowerCase() === name);
  if (state.cookies.length > 0) headers.push(["Cookie", state.cookies.join("; ")]);
  if (state.user !== undefined && !has("authorization")) {
    headers.push(["Authorization", basicOf(state.user)]);
  }
  if (state.isJson && !has("content-type")) headers.push(["Content-Type", "application/json"]);
  if (state.isJson && !has("accept")) headers.push(["Accept", "application/json"]);
  const isData = body?.kind === "text" || state.dataFile !== undefined;
  if (isData && !has("content-type")) {
    headers.push(["Content-Type", "application/x-www-form-urlencoded"]);
  }
  return headers;
}

/** With placeholders it is left to the client, which knows `Basic user:password`. */
function basicOf(user: string): string {
  const pair = user.includes(":") ? user : `${user}:`;
  if (pair.includes("{{")) return `Basic ${pair}`;
  const bytes = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte));
  return `Basic ${btoa(bytes.join(""))}`;
}

/** curl makes several requests of `[1-3]` and `{a,b}` in a URL. */
function checkGlob(word: Word, { isLiteral }: State, report: Report): void {
  if (isLiteral) return;
  const plain = word.text
    .replace(/\{\{[^{}]*\}\}/g, "")
    .replace(/^[a-z]*:\/\/\[[\da-f:.%]*\]/i, "");
  const found = /\[[^\]]*\]|\{[^}]*\}/.exec(plain)?.[0];
  if (found === undefined) return;
  const hint = "Add -g if it belongs to the URL, or write a request for each";
  report(word.span, `curl would make several requests of "${found}" in the URL`, hint);
}

function emptyState(): State {
  return {
    method: undefined,
    urls: [],
    headers: [],
    removed: new Set(),
    cookies: [],
    data: [],
    dataFile: undefined,
    fields: [],
    query: [],
    uploads: undefined,
    isHead: false,
    isGet: false,
    isJson: false,
    isLiteral: false,
    follows: false,
    user: undefined,
    seconds: undefined,
    retries: undefined,
    output: undefined,
    savesByName: false,
  };
}
