import { type Remark, shorten } from "../draft/mod.ts";
import { type OmittedComments, omittedLines, startsQuery } from "./body-comments.ts";
import type { BodyLine } from "./body-lines.ts";
import { startsVariableLine, trimLine } from "./line.ts";
import { isSecondRequestLine } from "./request-line.ts";

/** Bodies of HTTP messages. */
const EMBEDS_REQUESTS = /^(?:multipart\/|message\/|application\/http\b)/i;

/**
 * Remarks on lines that are sent, but were probably not meant as a part of the body. A second request line explains
 * all that follows it.
 */
export function remarksOn(
  body: readonly BodyLine[],
  comments: OmittedComments,
  contentType: string | undefined,
): readonly Remark[] {
  const request = EMBEDS_REQUESTS.test(contentType ?? "") ? undefined : secondRequest(body);
  if (request !== undefined) {
    return remarkOn(request, "A second request line", 'Put a line "###" before it');
  }
  const variable = body.find(({ text }) => startsVariableLine(text));
  const comment = commentInBody(body, comments);
  return [
    ...remarkOn(variable, "A variable line", "Put it above the request or after its body"),
    ...remarkOn(comment, "A line like a comment", 'Remove it, or put a line "###" before it'),
  ];
}

function remarkOn(line: BodyLine | undefined, what: string, hint: string): readonly Remark[] {
  if (line === undefined) return [];
  const message = `${what} is sent as a part of the body: "${shorten(line.text.trim())}"`;
  return [{ message, hint, span: trimLine(line) }];
}

function secondRequest(body: readonly BodyLine[]): BodyLine | undefined {
  return body.find(
    ({ kind, text }, index) =>
      kind === "content" && body[index - 1]?.kind !== "content" && isSecondRequestLine(text),
  );
}

/** A comment line that most clients leave out and that does not clearly belong to the body. */
function commentInBody(body: readonly BodyLine[], comments: OmittedComments): BodyLine | undefined {
  const isComment = ({ kind }: BodyLine): boolean => kind === "comment";
  if (comments !== "none") {
    const omitted = omittedLines(body, comments);
    const isQuery = startsQuery(body[0]?.text ?? "");
    return isQuery ? undefined : body.find((line) => isComment(line) && !omitted.has(line));
  }
  // A last paragraph of nothing but comments.
  const start = body.findLastIndex(({ kind }) => kind === "content") + 1;
  const rest = body.slice(start);
  return start > 0 && rest[0]?.kind === "blank" ? rest.find(isComment) : undefined;
}
