import type { TemplateSyntaxError } from "../../interpolation/mod.ts";
import {
  type Entry,
  entriesOf,
  type RequestDraft,
  type RequestSyntaxError,
  type RequestText,
} from "../draft/mod.ts";
import { createParser } from "./lines/mod.ts";
import { TextReader } from "./text-reader.ts";

/**
 * Parses a request text into requests and `@name = value` lines, in order. No value is looked up, and no file
 * that it imports is read.
 *
 * @param text Text as in `.http` files; a byte order mark and a first line `%%http` are skipped.
 * @returns The entries, possibly none.
 * @throws {RequestSyntaxError} With all faults, including malformed placeholders.
 * @throws {TemplateSyntaxError} If only placeholders are malformed.
 */
export function parseEntries(text: string): readonly Entry[] {
  return entriesOf(parseText(text));
}

/**
 * As {@link parseEntries}, with the lines that name other files.
 *
 * @param firstLine The line of its file on which the text begins; 1 by default.
 */
export function parseText(text: string, firstLine?: number): RequestText {
  const { failure, ...parsed } = readText(text, firstLine);
  if (failure !== undefined) throw failure;
  return parsed;
}

/** A request text, and the error of what could not be parsed. */
export interface ParsedText extends RequestText {
  /** What could not be parsed; `undefined` for a valid text. */
  readonly failure: RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** As {@link parseText}, for callers that need the valid parts of a text with faults. */
export function readText(text: string, firstLine?: number): ParsedText {
  const parser = createParser({ source: text, firstLine });
  const read = new TextReader(parser).read(contentStart(text));
  return { source: text, firstLine, ...read, failure: parser.failure() };
}

/**
 * Parses the requests of a text, without its `@name = value` lines.
 *
 * @param text Text as in `.http` files.
 * @returns The requests, possibly none.
 * @throws {RequestSyntaxError} With all faults, including malformed placeholders.
 * @throws {TemplateSyntaxError} If only placeholders are malformed.
 *
 * @example
 * ```ts
 * const drafts = parseRequests(`
 * # @name list
 * GET {{base}}/users?limit=2
 *
 * ### remove one
 * DELETE {{base}}/users/{{id}}`);
 * drafts.map(({ method }) => method); // ["GET", "DELETE"]
 * drafts[0]?.name; // "list"
 * drafts[1]?.title; // "remove one"
 * ```
 */
export function parseRequests(text: string): readonly RequestDraft[] {
  return parseEntries(text).filter((entry) => entry.kind === "request");
}

/** The start of the text after a byte order mark and `%%http`. */
export function contentStart(text: string): number {
  const mark = /^\uFEFF?\s*%%http(?!\S)/.exec(text);
  return mark !== null ? mark[0].length : text.startsWith("\uFEFF") ? 1 : 0;
}
