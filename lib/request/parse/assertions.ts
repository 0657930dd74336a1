import { type AssertionDraft, parseAssertion } from "../../assertions/mod.ts";
import {
  afterComment,
  classifyLine,
  createParser,
  lineAt,
  startsAssertion,
  trimLine,
} from "./lines/mod.ts";
import { contentStart } from "./parse.ts";

/** Whether a text consists of assertions without a request: its first line that is not a comment begins with `??`. */
export function startsAsAssertions(text: string): boolean {
  let line = lineAt(text, contentStart(text));
  for (; line.start < text.length; line = lineAt(text, line.next)) {
    const next = afterComment(text, line);
    if (next !== undefined) line = { ...line, next };
    else if (classifyLine(line.text) === "other") return startsAssertion(line.text);
  }
  return false;
}

/**
 * Parses assertions without a request, such as `?? status == 404`.
 *
 * @throws {RequestSyntaxError} A line is neither an assertion nor a comment, or cannot be read.
 */
export function parseAssertions(text: string, firstLine?: number): readonly AssertionDraft[] {
  const parser = createParser({ source: text, firstLine });
  const assertions: AssertionDraft[] = [];
  let line = lineAt(text, contentStart(text));
  for (; line.start < text.length; line = lineAt(text, line.next)) {
    const next = afterComment(text, line);
    const kind = classifyLine(line.text);
    if (next !== undefined) line = { ...line, next };
    else if (startsAssertion(line.text)) {
      const assertion = parseAssertion(parser, trimLine(line));
      if (assertion !== undefined) assertions.push(assertion);
    } else if (kind !== "blank" && kind !== "comment") {
      const message = `"${line.text.trim()}" is not an assertion`;
      parser.report(trimLine(line), message, 'An assertion begins with "??": ?? status == 200');
    }
  }
  const failure = parser.failure();
  if (failure !== undefined) throw failure;
  return assertions;
}
