import { type AssertionDraft, parseAssertion } from "../assertions/mod.ts";
import { classifyLine, createParser, readLines, trimLine } from "./line.ts";
import { contentStart } from "./parse.ts";
import { startsAssertion } from "./scripts.ts";

/** Whether a text consists of assertions without a request: its first line that is not a comment begins with `??`. */
export function startsAsAssertions(text: string): boolean {
  for (const line of readLines(text, contentStart(text))) {
    if (classifyLine(line.text) === "other") return startsAssertion(line.text);
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
  for (const line of readLines(text, contentStart(text))) {
    const kind = classifyLine(line.text);
    if (startsAssertion(line.text)) {
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
