import { parseRequests, RequestSyntaxError, TemplateSyntaxError } from "../../../lib/mod.ts";

type Spans = readonly Pick<RequestSyntaxError["faults"][number], "span">[];

/**
 * Inserts a missing empty line before each body of a request text, where a line can only be the
 * beginning of a body.
 *
 * @returns The text itself where no line is missing, or where inserting one repairs nothing.
 * @example `POST /users⏎{"a": 1}` becomes `POST /users⏎⏎{"a": 1}`
 */
export function insertBlankLines(text: string): string {
  let repaired = text;
  let doubts = doubtsOf(repaired);
  for (let count = 0; count < MAX_LINES; count++) {
    const at = doubts.map(({ span }) => lineStart(repaired, span.start)).find(beginsBody(repaired));
    if (at === undefined) break;
    const next = `${repaired.slice(0, at)}\n${repaired.slice(at)}`;
    const left = doubtsOf(next);
    if (left.length >= doubts.length) break;
    repaired = next;
    doubts = left;
  }
  return repaired;
}

/** More requests are pasted, not typed: their faults are reported. */
const MAX_LINES = 100;

/**
 * Whether the last request has a fault above its body, which no further line can repair.
 *
 * @example `PUT /users/1 {"a": 1}` has a fault in its request line
 */
export function isInvalidAboveBody(text: string): boolean {
  const end = headEnd(text);
  return end !== undefined && faultsOf(text).some(({ span }) => span.start < end);
}

const CURL = /^\s*(?:\$\s+)?curl(?:\.exe)?(?:\s|$)/i;

/** Where the headers of the last request end; nothing for a curl command, or without a request. */
function headEnd(text: string): number | undefined {
  let hasLine = false;
  let end: number | undefined;
  let offset = 0;
  for (const line of text.split("\n")) {
    if (/^\s*###/.test(line)) {
      hasLine = false;
      end = undefined;
    } else if (!hasLine && /^\s*[^\s#@/%]/.test(line)) {
      if (CURL.test(line)) return undefined;
      hasLine = true;
    } else if (hasLine && end === undefined && line.trim() === "") end = offset;
    offset += line.length + 1;
  }
  return hasLine ? (end ?? text.length) : undefined;
}

/** The beginning of JSON, XML, a form, a placeholder or a file, but not of a header. */
const BODY = /[ \t]*(?!\{\{[^{}]*\}\}[\w-]*:)(?:[{[<"]|[\w.%+-]+=)/y;

const beginsBody =
  (text: string) =>
  (start: number): boolean => {
    BODY.lastIndex = start;
    return start > 0 && BODY.test(text);
  };

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** The faults of a text, or else what is doubtful about the bodies of its requests. */
function doubtsOf(text: string): Spans {
  return read(text, (requests) =>
    requests.flatMap(({ remarks = [] }) => remarks.filter(({ code }) => code === "body")),
  );
}

function faultsOf(text: string): Spans {
  return read(text, () => []);
}

function read(
  text: string,
  doubtsIn: (requests: ReturnType<typeof parseRequests>) => Spans,
): Spans {
  try {
    return doubtsIn(parseRequests(text));
  } catch (error) {
    const isFaulty = error instanceof RequestSyntaxError || error instanceof TemplateSyntaxError;
    if (isFaulty) return error.faults;
    throw error;
  }
}
