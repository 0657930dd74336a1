import { shorten } from "../../interpolation/mod.ts";
import { type HeaderDraft, isHeaderName, splitHeader } from "../draft/mod.ts";
import { indentation, type Line, type Parser, trimLine } from "./lines/mod.ts";

const BLANK_LINE = "Leave a blank line between the headers and the body";

/**
 * Parses a line of the header section.
 *
 * @param indent The indentation of the header before it; a line with more may be meant to continue that header.
 * @returns The header; `undefined` if it is malformed; `"body"` if the body begins here without a blank line
 * before it. A malformed header is reported; so is a body unless it can be nothing else.
 */
export function readHeader(
  parser: Parser,
  line: Line,
  indent: number,
): HeaderDraft | "body" | undefined {
  const span = trimLine(line);
  const text = parser.source.slice(span.start, span.end);
  const quoted = (): string => `"${shorten(text)}"`;
  if (/^\{\{[^{}]*\}\}$/.test(text)) return { name: "", value: parser.template(span), span };
  if (/^[{[<]/.test(text) && !text.startsWith("{{")) {
    const message = `The line ${quoted()} begins the body, with no blank line before it`;
    parser.remark("body", span, message);
    return "body";
  }
  if (/^["{>]/.test(text) && !/^\{\{[^{}]*\}\}[\w-]*:/.test(text)) {
    const message = `The line ${quoted()} is not a header: a blank line is missing`;
    parser.report(span, message, BLANK_LINE);
    return "body";
  }
  if (text.startsWith("@")) {
    const hint = "Put it before the request line";
    parser.report(span, `The variable line ${quoted()} is among the headers`, hint);
    return undefined;
  }
  if (text.startsWith("...")) {
    const hint = "Write each header as Name: value";
    parser.report(span, `Headers from an object, ${quoted()}, are not supported`, hint);
    return undefined;
  }
  if (indentation(line.text) > indent) {
    if (splitHeader(text) === undefined) {
      const hint = "Write a header value on one line, and the target before the headers";
      parser.report(span, `The line ${quoted()} among the headers begins with whitespace`, hint);
      return undefined;
    }
    const message = `The header ${quoted()} is indented more than the one before it`;
    parser.remark("header", span, message);
  }
  const colon = text.indexOf(":");
  if (colon === -1) {
    const message = `The line ${quoted()} is not a header, it has no colon: a blank line is missing`;
    parser.report(span, message, `${BLANK_LINE}, or write a header as Name: value`);
    return "body";
  }
  const name = text.slice(0, colon).trimEnd();
  if (!isHeaderName(name)) {
    parser.report({ start: span.start, end: span.start + colon }, ...nameFault(name, quoted()));
    return undefined;
  }
  const value = text.slice(colon + 1);
  const comment = /\s(?:#|\/\/)(?=\s)/.exec(value);
  if (comment !== null) {
    const from = span.start + colon + 2 + comment.index;
    const shown = shorten(parser.source.slice(from, span.end));
    const place = { start: from, end: span.end };
    parser.remark("header", place, `"${shown}" is sent as a part of the header "${name}"`);
  }
  const start = span.end - value.trimStart().length;
  return { name, value: parser.template({ start, end: span.end }), span };
}

function nameFault(name: string, quoted: string): [message: string, hint: string] {
  if (name === "")
    return [`The header line ${quoted} has no name`, "Write a header as Name: value"];
  const shown = `The header name "${shorten(name)}"`;
  if (name.includes("{{")) {
    return [
      `${shown} contains a placeholder`,
      "Placeholders are allowed in header values, not in names",
    ];
  }
  const hint = `Write a header as Name: value. If the body begins here, leave a blank line before it`;
  if (/\s/.test(name)) return [`${shown} contains whitespace`, hint];
  const character = [...name].find((one) => !isHeaderName(one)) ?? "";
  return [`${shown} contains "${character}", which is not allowed in a header name`, hint];
}
