import { nearNames, type Span, shorten } from "../interpolation/mod.ts";
import { type Line, trimLine } from "./line.ts";
import type { Notes } from "./outline.ts";
import {
  isBareTarget,
  isClearTarget,
  isTarget,
  isVersion,
  partAtEnd,
  startsBody,
  startsComment,
  startsItem,
  startsOption,
  type TargetPart,
  targetEnd,
  wordEnd,
} from "./target.ts";

/** A request line. */
export interface RequestLine {
  /** The method; a placeholder whose value is the method, as it is written. */
  readonly method: string;
  /** The span of the target; empty if there is none. */
  readonly target: Span;
}

const EXAMPLE =
  "Begin a request with a method and a URL, for example GET https://api.example.com/users";

/**
 * Parses `METHOD target`, `METHOD target HTTP/1.1` or a URL alone, and reports mistakes.
 *
 * @returns `undefined` if the line is something else.
 */
export function readRequestLine(notes: Notes, line: Line): RequestLine | undefined {
  const { source } = notes;
  const { start, end } = trimLine(line);
  const text = source.slice(start, end);
  const first = wordEnd(text, 0);
  const word = text.slice(0, first);
  const rest = text.slice(first).trimStart();
  const restStart = end - rest.length;
  const wordSpan = { start, end: start + first };
  const none = { start: end, end };
  if (/^\{\{[^{}]*\}\}$/.test(word) && rest !== "" && !isVersion(rest)) {
    return { method: word, target: readTarget(notes, { start: restStart, end }, "path") };
  }
  if (isClearTarget(word) || (isBareTarget(word) && (rest === "" || isVersion(rest)))) {
    return { method: "GET", target: readTarget(notes, { start, end }, "query") };
  }
  const method = toMethod(word);
  if (isForeignProtocol(word)) {
    const hint = "Remove it: requests over HTTP, server-sent events and WebSockets are supported";
    notes.report(wordSpan, `${word} is not supported`, hint);
  }
  const near = isMethodToken(word) ? nearMethod(word) : undefined;
  const bare = rest === "" || isVersion(rest);
  if (near !== undefined) {
    notes.report(wordSpan, `Unknown method "${word}"`, `Did you mean ${near}?`);
  } else if (bare && isKnownMethod(method)) {
    const hint = `Write a URL after the method, for example ${method} https://api.example.com/users`;
    notes.report({ start, end }, `The request line "${shorten(text)}" has no target`, hint);
  } else if (bare || !canBeMethod(word, rest)) {
    const below = word.endsWith(":") && word.length > 1 ? "Headers go below it. " : "";
    const message = `Expected a request line, found "${shorten(text)}"`;
    notes.report({ start, end }, message, `${below}${EXAMPLE}`);
    return undefined;
  }
  return { method, target: bare ? none : readTarget(notes, { start: restStart, end }, "path") };
}

/** A custom method needs an unambiguous target: otherwise prose would be a request. */
function canBeMethod(word: string, rest: string): boolean {
  if (!isMethodToken(word)) return false;
  if (isKnownMethod(word) || isCommonMethod(word)) return true;
  return isBareTarget(rest.slice(0, wordEnd(rest, 0)));
}

/** What to do about a text after the URL. */
const HINTS: readonly (readonly [startsAs: (text: string) => boolean, hint: string])[] = [
  [startsBody, "Write the body below an empty line, after the headers"],
  [
    startsItem,
    'Write the body below an empty line; request items of HTTPie follow "restlab http" on the command line',
  ],
  [startsOption, 'Write headers on lines of their own, or begin with "curl" to use its options'],
];
const OTHER_HINT = "Write a space inside a URL as %20, and headers on lines of their own";

/**
 * Parses a target, or a continuation line of one, and a protocol version after it.
 *
 * @param blanksFrom The first part in which blanks are allowed; prose is not a path after a method.
 * @param before The part of the target that it continues.
 */
export function readTarget(
  notes: Notes,
  span: Span,
  blanksFrom: "path" | "query",
  before: TargetPart = "host",
): Span {
  const text = notes.source.slice(span.start, span.end);
  if (/^(["']).*\1(?:\s|$)/.test(text)) {
    notes.report(span, `The URL ${shorten(text)} is in quotes`, "Write it without quotes");
    return span;
  }
  // The URL parser removes tabs.
  const end = targetEnd(text, before, text.includes("\t") ? "query" : blanksFrom);
  const rest = text.slice(end).trimStart();
  const extra = { start: span.end - rest.length, end: span.end };
  if (startsComment(rest)) {
    notes.remark("url", extra, `The comment "${shorten(rest)}" after the URL is not sent`);
  } else if (rest !== "" && !isVersion(rest)) {
    const [, hint = OTHER_HINT] = HINTS.find(([startsAs]) => startsAs(rest)) ?? [];
    notes.report(extra, `Unexpected text after the URL: "${shorten(rest)}"`, hint);
  }
  const word = wordEnd(text, 0);
  if (word < end && partAtEnd(text.slice(0, word), before) === "path") {
    const blank = { start: span.start + word, end: span.start + word + 1 };
    notes.remark(
      "url",
      blank,
      `The blanks in the path are sent as %20: "${shorten(text.slice(0, end))}"`,
    );
  }
  return { start: span.start, end: span.start + end };
}

/** Remarks on a request line without a separator before it, which begins another request. */
export function remarkNextRequest(notes: Notes, line: Line): void {
  const message = `The line "${shorten(line.text.trim())}" begins another request, with no line "###" before it`;
  notes.remark("body", trimLine(line), message);
}

/**
 * Whether a line among headers or in a body is a request line, and not text such as `LIST items`: it has a known
 * method in upper case, and a clear target or a version.
 */
export function isSecondRequestLine(text: string): boolean {
  const line = text.trim();
  const method = /^[A-Z-]+(?=[ \t])/.exec(line)?.[0];
  if (method === undefined || !isKnownMethod(method)) return false;
  const rest = line.slice(method.length).trimStart();
  const end = wordEnd(rest, 0);
  const after = rest.slice(end).trimStart();
  const target = rest.slice(0, end);
  if (after === "") return isBareTarget(target);
  if (!isTarget(target)) return false;
  return (
    isVersion(after) ||
    (partAtEnd(target, "host") !== "host" && /\sHTTP\/\d(?:\.\d)?$/i.test(after))
  );
}

/** The methods to suggest for a mistyped one. */
const COMMON = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/**
 * The methods of the IANA registry, of caches, secret stores and UPnP, and the words that request files have in
 * place of a method.
 */
const KNOWN: ReadonlySet<string> = new Set([
  ...COMMON,
  ...`QUERY ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR
    MKCOL MKREDIRECTREF MKWORKSPACE MOVE ORDERPATCH PRI PROPFIND PROPPATCH REBIND REPORT SEARCH UNBIND
    UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL
    PURGE BAN REFRESH LIST SUBSCRIBE UNSUBSCRIBE NOTIFY M-SEARCH SOURCE
    GRAPHQL WEBSOCKET WS SSE GRPC MQTT AMQP RSOCKET GRAPHQLWS`.split(/\s+/),
]);

/** Words for protocols that are not supported. */
const FOREIGN: ReadonlySet<string> = new Set(["GRPC", "MQTT", "AMQP", "RSOCKET", "GRAPHQLWS"]);

const TOKEN = /^[A-Za-z][\w!#$%&'*+^`|~-]*$/;

/** Whether a word can be a method (RFC 9110, 9.1). */
export function isMethodToken(word: string): boolean {
  return TOKEN.test(word);
}

/** Methods that fetch forbids (WHATWG Fetch, 2.2.1). */
export const FORBIDDEN_METHOD: RegExp = /^(?:CONNECT|TRACE|TRACK)$/i;

/** Why such a method cannot be sent. */
export function explainForbidden(method: string): string {
  return `Cannot send the method "${method}": fetch forbids CONNECT, TRACE and TRACK`;
}

/** Whether a word is a known method in upper case. */
export function isKnownMethod(word: string): boolean {
  return KNOWN.has(word);
}

/** Whether a word stands for a protocol that is not supported. */
function isForeignProtocol(word: string): boolean {
  return FOREIGN.has(word);
}

/** Whether a word is a common method, in any letter case. */
export function isCommonMethod(word: string): boolean {
  return COMMON.includes(word.toUpperCase());
}

/** Converts a known method to upper case; others are unchanged. */
export function toMethod(word: string): string {
  const upper = word.toUpperCase();
  return KNOWN.has(upper) ? upper : word;
}

/** The common method that an unknown word is probably a typo or a prefix of. */
export function nearMethod(word: string): string | undefined {
  const upper = word.toUpperCase();
  if (KNOWN.has(upper)) return undefined;
  const begun = upper.length < 3 ? undefined : COMMON.find((method) => method.startsWith(upper));
  return begun ?? nearNames(upper, COMMON, 1)[0];
}
