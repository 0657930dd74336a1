import { shorten } from "../../../interpolation/mod.ts";
import { isSecondRequestLine, type Parser, startsVariableLine, trimLine } from "../lines/mod.ts";
import type { BodyLine } from "./body-lines.ts";
import { type OmittedComments, startsQuery } from "./comments.ts";

/** Whether bodies of a type contain HTTP messages. */
export function embedsRequests(type: string | undefined): boolean {
  return /^(?:multipart\/|message\/|application\/http\b)/i.test(type ?? "");
}

/** A line that is a header after a blank line, unless the type of the body says otherwise. */
const HEADER =
  /^[ \t]*(?:Accept|Authorization|Content|Cookie|Host|User-Agent|X)(?:-[\w-]+)?:[ \t]/i;

/**
 * Remarks on lines that are sent, but were probably not meant as a part of the body. A second request line explains
 * all that follows it.
 *
 * @param type The written Content-Type, unless placeholders decide about it.
 */
export function remarkOnBody(
  parser: Parser,
  body: readonly BodyLine[],
  comments: OmittedComments,
  type: string | undefined,
): void {
  const remark = (line: BodyLine | undefined, what: string, hint: string): void => {
    if (line === undefined) return;
    const message = `${what} is sent as a part of the body: "${shorten(line.text.trim())}"`;
    parser.remark("body", trimLine(line), message, hint);
  };
  const request = embedsRequests(type) ? undefined : secondRequest(body);
  remark(request, "A second request line", 'Put a line "###" before it');
  if (request !== undefined) return;
  const [first] = body;
  const header = type === undefined && HEADER.test(first?.text ?? "") ? first : undefined;
  remark(header, "A header", "Put it above the blank line");
  const variable = body.find(({ text }) => startsVariableLine(text));
  remark(variable, "A variable line", "Put it above the request or after its body");
  const comment = commentInBody(body, comments);
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
  if (comments === "all" || comments === "parts" || comments === "later") return undefined;
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
