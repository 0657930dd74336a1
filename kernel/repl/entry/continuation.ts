import { beginsAsJson, startsAsRequest } from "../../../lib/request/mod.ts";
import { type Input, kindOfInput, languageOf } from "./input.ts";

/** A line that a request begins with, or `@name = value`; prose such as `GET home early` is neither. */
export function beginsRequest(line: string): boolean {
  if (!startsAsRequest(line)) return false;
  return /^\s*(?:@|curl\s|\$\s+curl\s|\S+(?:\s+\S+)?(?:\s+HTTP\/[\d.]+)?\s*$)/i.test(line);
}

/** A line that ends any entry above it. */
export function isSeparator(line: string): boolean {
  return /^\s*(?:###|%%)/.test(line);
}

const HEADER = /^[ \t]*[A-Za-z][\w!#$%&'*+.^`|~-]*[ \t]*:(?:[ \t]|$)/;
/** Words of TypeScript before a colon. */
const LABEL = /^[ \t]*(?:default|case)\b/;

/** Whether a line looks like `Name: value`. */
function isHeaderLine(line: string): boolean {
  return HEADER.test(line) && !LABEL.test(line);
}

/** Whether a line looks like `?? status == 200`. */
export function isAssertionLine(line: string): boolean {
  return /^\s*\?\?/.test(line);
}

/** A handler of the response, or a file for it. */
const AFTER_REQUEST = /^\s*(?:>{1,2}!?[ \t]+\S|<>[ \t]+\S)/;

/** A request that is complete as it stands, and a line below it. */
interface Below {
  readonly request: string;
  readonly line: string;
  /** Whether blank lines are between the two. */
  readonly isApart: boolean;
}

/** Whether a line below a complete request belongs to it. */
export function continuesRequest({ request, line, isApart }: Below): boolean {
  if (AFTER_REQUEST.test(line)) return true;
  if (isSeparator(line)) return false;
  const { head, body } = splitBody(request);
  if (!HAS_REQUEST_LINE.test(head)) return !isApart && beginsRequest(line);
  if (beginsRequest(line)) return false;
  if (body === undefined) return !isApart && continuesHead(head, line);
  if (body.trim() === "") return false;
  const isJson = beginsAsJson(body);
  // Lines of JSON, the variables of GraphQL, and paragraphs of XML.
  return isJson ? !isApart && /^\s*[[{,]/.test(line) : /^\s*[[{<]/.test(line);
}

/** Divides a request at its first blank line. */
export function splitBody(request: string): { readonly head: string; readonly body?: string } {
  const blank = /\n[ \t]*\n/.exec(request);
  if (blank === null) return { head: request };
  return {
    head: request.slice(0, blank.index),
    body: request.slice(blank.index + blank[0].length),
  };
}

/** A line that is not a comment, a variable or a setting. */
const HAS_REQUEST_LINE = /^[ \t]*[^\s#/@%].*/m;

function continuesHead(head: string, line: string): boolean {
  const indent = (text: string): number => /^[ \t]*/.exec(text)?.[0].length ?? 0;
  const [first = ""] = HAS_REQUEST_LINE.exec(head) ?? [];
  return isHeaderLine(line) || /^\s*[?&]\S/.test(line) || indent(line) > indent(first);
}

/** Operators and words with which no statement begins; after a blank, `-` and the like are operators too. */
const OPERATOR =
  /^[ \t]*(?:\?\.|\?\?|[?:,]|&&|\|\||\*\*|=>|[=!]==?|[-+*/%<>=&|^](?=[ \t=])|(?:else|catch|finally|instanceof|in|of|as|satisfies)\b)/;
/** A member of the value above; `.vars` alone is a command of the prompt, and `.5` a number. */
const MEMBER = /^(?:[ \t]+\.[\p{L}_$#]|\.[\p{L}_$#][\p{L}\p{N}_$]*[^\p{L}\p{N}_$\s])/u;

/** Whether a line that has been received belongs to the complete entry above it. */
export function continuesEntry(text: string, line: string): boolean {
  const input = kindOfInput(text);
  if (input.kind === "assertions") return isAssertionLine(line);
  const language = languageOf(input);
  if (language === "typescript") return continuesStatement(line);
  return language === "request" && continuesRequest({ request: text, line, isApart: false });
}

/** Whether a line below a complete statement belongs to it. */
export function continuesStatement(line: string): boolean {
  return OPERATOR.test(line) || MEMBER.test(line);
}

/**
 * Explains an entry that looks like a header of the request before it, which was complete without one.
 *
 * @param before The entry before it.
 * @param advice How headers are written.
 * @returns `undefined` for any other entry.
 */
export function explainLateHeader(
  text: string,
  before: Input | undefined,
  advice: string,
): string | undefined {
  if (before === undefined || languageOf(before) !== "request") return undefined;
  if (!text.trim().split("\n").every(isHeaderLine)) return undefined;
  return `"${text.trim()}" looks like a header, but the request above has been sent: ${advice}`;
}
