import {
  createFault,
  type Fault,
  type SourceText,
  type Span,
  shorten,
  type Template,
  type ValuePath,
} from "../interpolation/mod.ts";

/** What an assertion is about. */
export type AssertionField =
  | { readonly kind: "status" }
  | { readonly kind: "duration"; readonly part: DurationPart }
  | { readonly kind: "header"; readonly name: string }
  /** The whole body, or what a path or a JSONPath selects in it. */
  | { readonly kind: "body"; readonly path?: ValuePath | undefined }
  /** How many values a JSONPath selects in the body, or how many elements the list at a path has. */
  | { readonly kind: "count"; readonly path: ValuePath }
  /** The value of a JavaScript expression, which only a front end evaluates. */
  | {
      readonly kind: "js";
      readonly expression: string;
      /** Whether its text may come from a value, so that it is never run. */
      readonly isRefused?: true | undefined;
    };

/** The measured parts of a duration. */
export type DurationPart = "total" | "dns" | "tcp" | "tls" | "firstByte" | "download";

/** An assertion as it is written: `?? body name == Ada`. */
export interface AssertionDraft extends SourceText {
  /** What it is about. */
  readonly field: AssertionField;
  /** The name of the predicate, the first of its synonyms: `==`, `contains`, `isTrue`. */
  readonly predicate: string;
  /** Whether the predicate must not hold. */
  readonly isNegated: boolean;
  /** Whether the assertion is about each value that a path selects, or each element of a list. */
  readonly isEach?: boolean | undefined;
  /** Whether upper and lower case are the same. */
  readonly ignoresCase?: boolean | undefined;
  /** The expected value; absent if the predicate takes none. */
  readonly expected?: Template | undefined;
  /** The whole line. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
}

/** Where an assertion is. */
export interface AssertionLocation {
  /** The file, if it is known. */
  readonly file?: string | undefined;
  /** The line, from 1. */
  readonly line: number;
  /** The column in code points, from 1. */
  readonly column: number;
}

/** The result of one assertion. Its texts may contain secrets, as a response may; displays mask them. */
export interface AssertionResult {
  /** The assertion as it is written, without `??`; the name of a test; the place of a script that failed. */
  readonly text: string;
  /** Whether it passed. */
  readonly passed: boolean;
  /** Whether it is that of a test which was left out (`test.skip`): it has neither passed nor failed. */
  readonly skipped?: true | undefined;
  /** The name of the test that contains it. */
  readonly name?: string | undefined;
  /** What was expected. */
  readonly expected?: string | undefined;
  /** What the response has. */
  readonly actual?: string | undefined;
  /** Where in a value the two differ: `$.items[0].id`. */
  readonly path?: string | undefined;
  /** Why it failed, if the two values do not say it: the message of an assertion, an error. */
  readonly message?: string | undefined;
  /** Where it is. */
  readonly location: AssertionLocation;
}

/** Whether an assertion or a test has failed. */
export function isFailedAssertion({ passed, skipped }: AssertionResult): boolean {
  return !passed && skipped !== true;
}

/**
 * Runs code that matches regular expressions of a text or a description, and ends it if it takes too long.
 *
 * @param run The code, which is synchronous.
 * @param size How many characters it matches.
 * @throws {Error} It was ended.
 */
export type LimitTime = <T>(run: () => T, size: number) => T;

/** What is read of a response. */
export interface Answer {
  /** The status code. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: Pick<Headers, "get">;
  /** The body as text. */
  readonly text: string;
  /** The body as JSON; reading it throws if it is not JSON. */
  readonly json: unknown;
  /** The body. */
  readonly bytes: Uint8Array;
  /** Milliseconds. */
  readonly timing: { readonly headers: number; readonly total: number };
  /** Where the transport measures it: milliseconds since the start. */
  readonly connection?:
    | {
        readonly times: {
          readonly dns?: number | undefined;
          readonly connect?: number | undefined;
          readonly tls?: number | undefined;
          readonly firstByte: number;
        };
      }
    | undefined;
}

/**
 * Creates the fault of an assertion that failed: what was expected and what was found.
 *
 * @param text The text that contains the assertion.
 * @param span Where it is; by default its line.
 */
export function createFailure(
  result: AssertionResult,
  text: SourceText,
  span: Span = lineSpan(text, result.location.line),
): Fault {
  const { name } = result;
  const title =
    name === undefined || name === result.text ? result.text : `${name}: ${result.text}`;
  const detail = failureDetail(result);
  const said = detail === "" ? "" : `: ${detail}`;
  return createFault(text, span, `${toLine(title)} failed${said}`);
}

/** What was expected and found, and where, in one line, such as `expected 14, found 13; at $[12]`. */
export function failureDetail({
  path,
  expected,
  actual,
  message,
}: Pick<AssertionResult, "path" | "expected" | "actual" | "message">): string {
  const parts = [
    ...(expected === undefined || actual === undefined
      ? []
      : [`expected ${toLine(expected)}, found ${toLine(actual)}`]),
    ...(path === undefined ? [] : [`at ${toLine(path)}`]),
    ...(message === undefined ? [] : [toLine(message)]),
  ];
  return parts.join("; ");
}

/** The span of a line, without the blanks around it. */
export function lineSpan({ source, firstLine = 1 }: SourceText, line: number): Span {
  let start = 0;
  for (let rest = line - firstLine + 1; rest > 1; rest--) {
    const end = LINE_END.exec(source.slice(start));
    if (end === null) break;
    start += end.index + end[0].length;
  }
  const [text = ""] = source.slice(start).split(LINE_END, 1);
  const from = start + text.length - text.trimStart().length;
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}

const LINE_END = /\r\n?|\n/;

const LONGEST = 200;

function toLine(text: string): string {
  return shorten(text.replaceAll(/\s+/g, " "), LONGEST);
}
