import type { HeaderDraft } from "../draft/mod.ts";
import { shorten } from "../draft/mod.ts";
import { indentation, type Line, trimLine } from "./line.ts";
import type { Reading } from "./reading.ts";

const BLANK_LINE = "Leave a blank line between the headers and the body";

/** What a header name may be made of (RFC 9110, 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Reads a line of the header section.
 *
 * @param indent The indentation of the request line; what is further in would be a folded value.
 * @returns The header; nothing when it is broken; `"body"` when the body begins here, the blank
 * line before it being forgotten. Both mistakes are reported.
 */
export function readHeader(
  reading: Reading,
  line: Line,
  indent: number,
): HeaderDraft | "body" | undefined {
  const span = trimLine(line);
  const text = reading.source.slice(span.start, span.end);
  const quoted = (): string => `"${shorten(text)}"`;
  const colon = text.indexOf(":");
  if (/^[{[<>"]/.test(text) && !/^\{\{[^{}]*\}\}[\w-]*:/.test(text)) {
    reading.report(
      span,
      `The line ${quoted()} is not a header: a blank line is missing`,
      BLANK_LINE,
    );
    return "body";
  }
  if (text.startsWith("@")) {
    const hint = "Put it before the request line";
    reading.report(span, `The variable line ${quoted()} is among the headers`, hint);
    return undefined;
  }
  if (indentation(line.text) > indent) {
    const hint =
      "Write a header value on one line, and begin a continued query with ? or & below the request line";
    reading.report(span, `The header line ${quoted()} begins with whitespace`, hint);
    return undefined;
  }
  if (colon === -1) {
    const message = `The line ${quoted()} is not a header, it has no colon: a blank line is missing`;
    reading.report(span, message, `${BLANK_LINE}, or write a header as Name: value`);
    return "body";
  }
  const name = text.slice(0, colon).trimEnd();
  if (!NAME.test(name)) {
    reading.report({ start: span.start, end: span.start + colon }, ...nameFault(name, quoted()));
    return undefined;
  }
  const value = text.slice(colon + 1);
  const start = span.end - value.trimStart().length;
  return { name, value: reading.template({ start, end: span.end }), span };
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
  const character = [...name].find((one) => !NAME.test(one)) ?? "";
  return [`${shown} contains "${character}", which is not allowed in a header name`, hint];
}
