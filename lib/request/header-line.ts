import { type Place, type Span, shorten } from "../interpolation/mod.ts";
import { indentation, type Line, trimLine } from "./line.ts";
import type { Notes } from "./outline.ts";

/** A field name (RFC 9110, 5.1). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** The name of a header with the values of placeholders in it, and its colon. */
const NAME_OF_VALUES = /^(?:[\w!#$%&'*+.^`|~-]|\{\{[^{}]*\}\})+[ \t]*:/;

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Splits `Name: value`.
 *
 * @returns `undefined` if the text is not a header.
 */
export function splitHeader(text: string): readonly [name: string, value: string] | undefined {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(0, colon)).trimEnd();
  return isHeaderName(name) ? [name, text.slice(colon + 1)] : undefined;
}

/** The value of the first header of a name, which is given in lower case. */
export function findHeader(
  headers: readonly (readonly [name: string, value: string])[],
  lowerName: string,
): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}

/** A client certificate and its key, by paths of PEM files, or both in a PKCS #12 file. */
export type ClientCertificate =
  | { readonly cert: string; readonly key: string; readonly passphrase?: string | undefined }
  | { readonly pfx: string; readonly passphrase?: string | undefined };

const CERTIFICATE =
  /^(?:cert:\s*(?<cert>\S+)\s*(?:key:\s*(?<key>\S+)\s*)?|pfx:\s*(?<pfx>\S+)\s*)(?:passphrase:\s*(?<passphrase>\S+)\s*)?$/;

/** Reads the value of `X-ClientCert: cert: ./c.pem key: ./k.pem passphrase: …`, or `pfx: ./c.p12`, of httpYac. */
export function readClientCertificate(value: string): ClientCertificate | undefined {
  const { cert, key = cert, pfx, passphrase } = CERTIFICATE.exec(value)?.groups ?? {};
  if (pfx !== undefined) return { pfx, passphrase };
  return cert === undefined || key === undefined ? undefined : { cert, key, passphrase };
}

/** A JSON MIME type without its parameters (WHATWG MIME Sniffing, 4.6): `application/json`, `text/json`, `+json`. */
export const JSON_TYPE: RegExp = /^(?:application|text)\/json$|\+json$/;

/** Whether a Content-Type is that of JSON. */
export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(mediaTypeOf(contentType));
}

/** Whether a Content-Type is that of the fields of a form. */
export function isFormType(contentType: string): boolean {
  return mediaTypeOf(contentType) === "application/x-www-form-urlencoded";
}

/** Whether a text without a Content-Type is taken for JSON: it begins with `{` or `[`. */
export function beginsAsJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Types of JSON in lines, also `application/vnd.elasticsearch+x-ndjson`. */
const JSON_LINES =
  /^(?:application|text)\/(?:[^+]*\+)?(?:x-)?(?:ndjson|jsonl|jsonlines|ldjson|json-lines|json-seq)$/;

/** Other types of lines. */
const LINES = /^text\/(?:csv|tab-separated-values|event-stream)$/;

/** Whether the readers of a type take a line that no line break ends for an incomplete one. */
export function isLinesType(contentType: string): boolean {
  const type = mediaTypeOf(contentType);
  return JSON_LINES.test(type) || LINES.test(type);
}

/**
 * How the values in a text of a type are written.
 *
 * @param contentType The type; without one, the text itself decides.
 * @param isBulk Whether a body of JSON is one of lines, each of which is JSON.
 */
export function placeOf(contentType: string): Place;
export function placeOf(contentType: string | undefined, isBulk?: boolean): Place | undefined;
export function placeOf(contentType: string | undefined, isBulk?: boolean): Place | undefined {
  const type = contentType === undefined ? undefined : mediaTypeOf(contentType);
  if (type === undefined || JSON_TYPE.test(type)) {
    if (isBulk) return "json-lines";
    return type === undefined ? undefined : "json";
  }
  if (JSON_LINES.test(type)) return "json-lines";
  return LINES.test(type) ? "lines" : "text";
}

const ENDING: Readonly<Record<string, string>> = {
  "\r": "a carriage return",
  "\n": "a line feed",
  "\0": "a NUL character",
};

/** Why a value cannot stand in a header: it contains a control character. */
export function explainControl(
  header: string,
  value: string,
): { readonly message: string; readonly hint: string } | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const character = /[\x00-\x08\x0a-\x1f\x7f]/.exec(value)?.[0];
  if (character === undefined) return undefined;
  const ending = ENDING[character];
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `Cannot render the ${header}: its value contains ${ending ?? `the control character U+${code}`}`;
  const hint = "Remove it from the value";
  return { message, hint: ending === undefined ? hint : `It would end the header. ${hint}` };
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** A header line; its name is empty if it has a placeholder, and the value is then the whole line. */
interface WrittenHeader {
  readonly name: string;
  readonly value: Span;
}

const BLANK_LINE = "Leave a blank line between the headers and the body";

/**
 * Parses a line of the header section.
 *
 * @param indent The indentation of the header before it; a line with more may be meant to continue that header.
 * @returns The header; `undefined` if it is malformed; `"body"` if the body begins here without a blank line
 * before it. A malformed header is reported; so is a body unless it can be nothing else.
 */
export function readHeader(
  notes: Notes,
  line: Line,
  indent: number = Number.POSITIVE_INFINITY,
): WrittenHeader | "body" | undefined {
  const span = trimLine(line);
  const text = notes.source.slice(span.start, span.end);
  const quoted = (): string => `"${shorten(text)}"`;
  if (/^\{\{[^{}]*\}\}$/.test(text)) return { name: "", value: span };
  if (/^[{[<]/.test(text) && !text.startsWith("{{")) {
    const message = `The line ${quoted()} begins the body, with no blank line before it`;
    notes.remark("body", span, message);
    return "body";
  }
  if (NAME_OF_VALUES.exec(text)?.[0].includes("{{")) return { name: "", value: span };
  if (/^["{>]/.test(text)) {
    const message = `The line ${quoted()} is not a header: a blank line is missing`;
    notes.report(span, message, BLANK_LINE);
    return "body";
  }
  if (text.startsWith("@")) {
    const hint = "Put it before the request line";
    notes.report(span, `The variable line ${quoted()} is among the headers`, hint);
    return undefined;
  }
  if (text.startsWith("...")) {
    const object = text.slice(3).trim();
    const hint = `Write each header as Name: value, such as Accept: {{${object}.Accept}}`;
    notes.report(span, `Headers from an object, ${quoted()}, are not supported`, hint);
    return undefined;
  }
  if (indentation(line.text) > indent) {
    if (splitHeader(text) === undefined) {
      const hint = "Write a header value on one line, and the target before the headers";
      notes.report(span, `The line ${quoted()} among the headers begins with whitespace`, hint);
      return undefined;
    }
    const message = `The header ${quoted()} is indented more than the one before it`;
    notes.remark("header", span, message);
  }
  const colon = text.indexOf(":");
  if (colon === -1) {
    const message = `The line ${quoted()} is not a header, it has no colon: a blank line is missing`;
    notes.report(span, message, `${BLANK_LINE}, or write a header as Name: value`);
    return "body";
  }
  const name = text.slice(0, colon).trimEnd();
  if (!isHeaderName(name)) {
    notes.report({ start: span.start, end: span.start + colon }, ...nameFault(name, quoted()));
    return undefined;
  }
  const value = text.slice(colon + 1);
  const comment = /\s(?:#|\/\/)(?=\s)/.exec(value);
  if (comment !== null) {
    const from = span.start + colon + 2 + comment.index;
    const shown = shorten(notes.source.slice(from, span.end));
    const place = { start: from, end: span.end };
    notes.remark("header", place, `"${shown}" is sent as a part of the header "${name}"`);
  }
  const start = span.end - value.trimStart().length;
  return { name, value: { start, end: span.end } };
}

function nameFault(name: string, quoted: string): [message: string, hint: string] {
  if (name === "")
    return [`The header line ${quoted} has no name`, "Write a header as Name: value"];
  const shown = `The header name "${shorten(name)}"`;
  const hint = `Write a header as Name: value. If the body begins here, leave a blank line before it`;
  if (/\s/.test(name)) return [`${shown} contains whitespace`, hint];
  const character = [...name].find((one) => !isHeaderName(one)) ?? "";
  return [`${shown} contains "${character}", which is not allowed in a header name`, hint];
}
