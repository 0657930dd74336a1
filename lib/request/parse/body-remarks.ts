import { shorten } from "../draft/mod.ts";
import { type OmittedComments, startsQuery } from "./body-comments.ts";
import type { BodyLine } from "./body-lines.ts";
import { startsVariableLine, trimLine } from "./line.ts";
import type { Parser } from "./parser.ts";
import { isSecondRequestLine } from "./request-line.ts";

/** Bodies of HTTP messages. */
const EMBEDS_REQUESTS = /^(?:multipart\/|message\/|application\/http\b)/i;

interface BodyComments {
  readonly comments: OmittedComments;
  /** The written Content-Type, unless placeholders decide about it. */
  readonly type: string | undefined;
  readonly isTypeLater: boolean;
}

/**
 * Remarks on lines that are sent, but were probably not meant as a part of the body. A second request line explains
 * all that follows it.
 */
export function remarkOnBody(
  parser: Parser,
  body: readonly BodyLine[],
  { comments, type, isTypeLater }: BodyComments,
): void {
  const remark = (line: BodyLine | undefined, what: string, hint: string): void => {
    if (line === undefined) return;
    const message = `${what} is sent as a part of the body: "${shorten(line.text.trim())}"`;
    parser.remark("body", trimLine(line), message, hint);
  };
  const request = EMBEDS_REQUESTS.test(type ?? "") ? undefined : secondRequest(body);
  remark(request, "A second request line", 'Put a line "###" before it');
  if (request !== undefined) return;
  const variable = body.find(({ text }) => startsVariableLine(text));
  remark(variable, "A variable line", "Put it above the request or after its body");
  // The type may be one whose comments are left out.
  const comment = isTypeLater ? undefined : commentInBody(body, comments);
  remark(comment, "A line like a comment", 'Remove it, or put a line "###" before it');
}

function secondRequest(body: readonly BodyLine[]): BodyLine | undefined {
  return body.find(
    ({ kind, text }, index) =>
      kind === "content" && body[index - 1]?.kind !== "content" && isSecondRequestLine(text),
  );
}

/** A comment line that most clients leave out and that does not clearly belong to the body. */
function commentInBody(body: readonly BodyLine[], comments: OmittedComments): BodyLine | undefined {
  // In a part, they are left out above its content, and may be lines of a script in it.
  if (comments === "all" || comments === "parts") return undefined;
  if (comments === "around") {
    return startsQuery(body[0]?.text ?? "") ? undefined : body.find(isComment);
  }
  // A last paragraph of nothing but comments.
  const start = body.findLastIndex(({ kind }) => kind === "content") + 1;
  const rest = body.slice(start);
  return start > 0 && rest[0]?.kind === "blank" ? rest.find(isComment) : undefined;
}

function isComment({ kind }: BodyLine): boolean {
  return kind === "comment";
}
