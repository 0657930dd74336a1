import { parseRequests, RequestSyntaxError, TemplateSyntaxError } from "../../../lib/mod.ts";

type Faults = RequestSyntaxError["faults"];

/**
 * A request text with the empty line that its bodies begin behind, where it was left out and a line
 * can be nothing but the begin of a body.
 *
 * @param text The text up to the line that was just ended.
 * @returns The text itself where nothing is missing, or where an empty line would not help.
 * @example `POST /users⏎{"a": 1}` becomes `POST /users⏎⏎{"a": 1}`
 */
export function withBlankLines(text: string): string {
  let mended = text;
  let faults = faultsOf(mended);
  for (let count = 0; count < MOST; count++) {
    const at = faults.map(({ span }) => lineStart(mended, span.start)).find(beginsBody(mended));
    if (at === undefined) break;
    const next = `${mended.slice(0, at)}\n${mended.slice(at)}`;
    const left = faultsOf(next);
    if (left.length >= faults.length) break;
    mended = next;
    faults = left;
  }
  return mended;
}

/** Nobody types more requests than this; what is pasted and has more is told of its faults. */
const MOST = 100;

/**
 * Whether something is wrong above the body of the last request, so that no further line can mend it.
 *
 * @example `PUT /users/1 {"a": 1}` is wrong in its request line
 */
export function isBrokenAbove(text: string): boolean {
  const end = headEnd(text);
  return end !== undefined && faultsOf(text).some(({ span }) => span.start < end);
}

const CURL = /^\s*(?:\$\s+)?curl(?:\.exe)?(?:\s|$)/i;

/** Where the headers of the last request end; nothing where there is none, or one that is curl's. */
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

/** As JSON, XML, a form, a placeholder or a file begins, and no header, also none with a broken name. */
const BODY = /[ \t]*(?!\{\{[^{}]*\}\}[\w-]*:)(?:[{[<"]|[\w.%+-]+=)/y;

const beginsBody =
  (text: string) =>
  (start: number): boolean => {
    BODY.lastIndex = start;
    return start > 0 && BODY.test(text);
  };

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

function faultsOf(text: string): Faults {
  try {
    parseRequests(text);
  } catch (error) {
    const isFaulty = error instanceof RequestSyntaxError || error instanceof TemplateSyntaxError;
    if (isFaulty) return error.faults;
    throw error;
  }
  return [];
}
