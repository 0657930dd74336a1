import type { Span } from "../../interpolation/mod.ts";
import {
  isBareTarget,
  isClearTarget,
  isCommonMethod,
  isForeignProtocol,
  isKnownMethod,
  isMethodToken,
  isTarget,
  isVersion,
  nearMethod,
  shorten,
  targetEnd,
  toMethod,
  wordEnd,
} from "../draft/mod.ts";
import { type Line, trimLine } from "./line.ts";
import type { Reading } from "./reading.ts";

/** What a request line says. */
export interface RequestLine {
  readonly method: string;
  /** Where the target stands; empty where there is none. */
  readonly target: Span;
}

const EXAMPLE =
  "Begin a request with a method and a URL, for example GET https://api.example.com/users";

/** Reads `METHOD target`, `METHOD target HTTP/1.1` or a bare URL; what is wrong is reported. */
export function readRequestLine(reading: Reading, line: Line): RequestLine {
  const { source } = reading;
  const { start, end } = trimLine(line);
  const text = source.slice(start, end);
  const first = wordEnd(text, 0);
  const word = text.slice(0, first);
  const rest = text.slice(first).trimStart();
  const restStart = end - rest.length;
  const wordSpan = { start, end: start + first };
  const none = { start: end, end };
  // Nearly every request line, and nothing that could be wrong with it up to its target.
  if (isKnownMethod(word) && !isForeignProtocol(word) && rest !== "" && !isVersion(rest)) {
    return { method: word, target: readTarget(reading, { start: restStart, end }) };
  }
  if (/^\{\{[^{}]*\}\}$/.test(word) && rest !== "" && !isVersion(rest)) {
    const hint = `The method cannot be a placeholder: write it out. ${EXAMPLE}`;
    reading.report(
      wordSpan,
      `The placeholder ${shorten(word)} is in the place of the method`,
      hint,
    );
    return { method: "GET", target: none };
  }
  if (isClearTarget(word) || (isBareTarget(word) && (rest === "" || isVersion(rest)))) {
    return { method: "GET", target: readTarget(reading, { start, end }) };
  }
  const method = toMethod(word);
  if (isForeignProtocol(word)) {
    const hint = "Remove it: requests over HTTP, server-sent events and WebSockets are supported";
    reading.report(wordSpan, `${word} is not supported`, hint);
  }
  const near = isMethodToken(word) ? nearMethod(word) : undefined;
  const bare = rest === "" || isVersion(rest);
  if (near !== undefined) {
    reading.report(wordSpan, `Unknown method "${word}"`, `Did you mean ${near}`);
  } else if (bare && isKnownMethod(method)) {
    const hint = `Write a URL after the method, for example ${method} https://api.example.com/users`;
    reading.report({ start, end }, `The request line "${shorten(text)}" has no target`, hint);
  } else if (bare || !canBeMethod(word, rest)) {
    const below = word.endsWith(":") && word.length > 1 ? "Headers go below it. " : "";
    const message = `Expected a request line, found "${shorten(text)}"`;
    reading.report({ start, end }, message, `${below}${EXAMPLE}`);
    return { method: "GET", target: none };
  }
  return { method, target: bare ? none : readTarget(reading, { start: restStart, end }) };
}

/** Of other words than methods a target that is one beyond doubt makes a method: prose is none. */
function canBeMethod(word: string, rest: string): boolean {
  if (!isMethodToken(word)) return false;
  if (isKnownMethod(word) || isCommonMethod(word)) return true;
  return isBareTarget(rest.slice(0, wordEnd(rest, 0)));
}

/** Reads a target, or a continued piece of one, and a protocol version behind it. */
export function readTarget(reading: Reading, span: Span): Span {
  const text = reading.source.slice(span.start, span.end);
  if (/^(["']).*\1(?:\s|$)/.test(text)) {
    reading.report(span, `The URL ${shorten(text)} is in quotes`, "Write it without quotes");
    return span;
  }
  const end = targetEnd(text);
  const rest = text.slice(end).trimStart();
  if (rest !== "" && !isVersion(rest)) {
    const extra = { start: span.end - rest.length, end: span.end };
    const hint = "Write a space inside a URL as %20, and headers on lines of their own";
    reading.report(extra, `Unexpected text after the URL: "${shorten(rest)}"`, hint);
  }
  return { start: span.start, end: span.start + end };
}

/**
 * Whether a line is a request line beyond doubt, and not a header or text: a known method in upper
 * case and what can be its target, and nothing but a version behind it.
 */
export function isPlainRequestLine(text: string): boolean {
  const line = text.trim();
  const method = /^[A-Z-]+(?=\s)/.exec(line)?.[0];
  if (method === undefined || !isKnownMethod(method)) return false;
  const rest = line.slice(method.length).trimStart();
  const end = wordEnd(rest, 0);
  const behind = rest.slice(end).trimStart();
  return isTarget(rest.slice(0, end)) && (behind === "" || isVersion(behind));
}
