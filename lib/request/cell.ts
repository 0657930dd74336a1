import { type AssertionDraft, parseAssertion } from "../assertions/mod.ts";
import { startsAsCommand } from "../curl/mod.ts";
import { startsImport, startsRun } from "./imports.ts";
import { classifyLine, createParser, readLines, startsVariableLine, trimLine } from "./line.ts";
import { contentStart } from "./outline.ts";
import { isCommonMethod, isKnownMethod, isMethodToken, nearMethod } from "./request-line.ts";
import { startsAssertion } from "./scripts.ts";
import { hasScheme, isTarget, isVersion, LOCAL_PORT, wordEnd } from "./target.ts";

/**
 * Decides whether a cell is a request or TypeScript. It is a request if its first line that is not blank or a
 * comment is a request line, a `@name = value` line, `###`, an absolute URL or a path, or if it begins with
 * `%%http`. A cell that begins with `%%ts` is TypeScript. If both are possible, the likely meaning is
 * chosen: `GET /users` and `/users/1` are requests, `TOTAL / count` is a division, `/users/g` a regular expression.
 *
 * @param text The cell.
 * @returns Whether to parse it with {@link parseRequests}.
 *
 * @example
 * ```ts
 * startsAsRequest("GET https://api.example.com/users"); // true
 * startsAsRequest("const total = 3"); // false
 * startsAsRequest("TOTAL / count"); // false
 * ```
 */
export function startsAsRequest(text: string): boolean {
  if (/^\uFEFF?\s*%%/.test(text)) return contentStart(text) > 1;
  let namesRequests = false;
  for (const { text: line } of readLines(text, contentStart(text))) {
    const kind = classifyLine(line);
    if (kind === "annotation") namesRequests ||= NAMES_REQUESTS.test(line);
    if (kind === "separator") return true;
    if (kind === "assignment") return startsVariableLine(line);
    if (kind === "other") {
      return startsAsCommand(line) || isRequestFileLine(line) || isRequestLine(line.trim());
    }
  }
  return namesRequests;
}

/** With nothing else in a cell, these annotations are what it does. */
const NAMES_REQUESTS = /@(?:import[ \t=]+\S+\.(?:http|rest)|(?:force-?)?ref[ \t=]+\S)/i;

/** Whether a line is unambiguously from a request file: `< {%`, `import a.http`. */
function isRequestFileLine(line: string): boolean {
  if (startsImport(line) || startsRun(line)) return true;
  return /^[ \t]*(?:[<>][ \t]*\{%|<[ \t]+\S.*\.[cm]?js[ \t]*$)/.test(line);
}

/** Operators of TypeScript that are words. */
const OPERATORS: ReadonlySet<string> = new Set(["as", "in", "instanceof", "is", "of", "satisfies"]);

function isRequestLine(line: string): boolean {
  const first = wordEnd(line, 0);
  const word = line.slice(0, first);
  const rest = line.slice(first).trimStart();
  if (isBareUrl(word)) return rest === "" || isVersion(rest) || hasScheme(word);
  if (!isMethodToken(word) || rest === "") return false;
  const end = wordEnd(rest, 0);
  const target = unquote(rest.slice(0, end));
  const after = rest.slice(end).trimStart();
  const alone = after === "" || isVersion(after);
  return isKnownMethod(word) ? isTargetOfKnown(target, alone) : isTargetOf(word, target, alone);
}

/** After a known method in upper case nearly every word is a target: as code it would be an error. */
function isTargetOfKnown(target: string, alone: boolean): boolean {
  if (target === "/" || target === "*") return alone;
  if (target === "/=" || /^\/[/*]/.test(target) || OPERATORS.has(target)) return false;
  return isTarget(target) && (alone || /[./:{]/.test(target));
}

/** An unknown method, or one in lower case, needs an unambiguous target. */
function isTargetOf(word: string, target: string, alone: boolean): boolean {
  if (hasScheme(target)) return true;
  if (!alone || word.length < 3) return false;
  if (word !== word.toUpperCase() && !isCommonMethod(word)) return false;
  if (target === "/") return nearMethod(word) !== undefined;
  if (target.startsWith("{{") || LOCAL_PORT.test(target)) return true;
  return /^localhost(?=[:/]|$)/.test(target) || isPath(target);
}

/** A path; `A /2` and `A /x;` are divisions. */
function isPath(target: string): boolean {
  return /^\/[\p{L}_{?.~%-][^;]*$/u.test(target);
}

/** A URL or a path alone. As code, `http://x` would be a label and a comment, and `{{base}}/x` two blocks. */
function isBareUrl(word: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:\/\/[^\s]/i.test(word) ||
    /^\{\{\s*[\p{L}_$][^{}]*\}\}[/?]/u.test(word) ||
    /^localhost:\d+(?=[/?]|$)/.test(word) ||
    LOCAL_PORT.test(word) ||
    (word.startsWith("/") && isPath(word) && !REGULAR_EXPRESSION.test(word))
  );
}

/** A regular expression of TypeScript, and what may follow it: `/api/v1` is none, and so a path. */
const REGULAR_EXPRESSION = /^\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[/])+\/[dgimsuvy]*(?:$|[.[,;)])/;

/** A quoted URL after a method is not code either; the parser reports the quotes. */
function unquote(target: string): string {
  return /^["'](?=[/{]|[a-z]+:\/\/)/i.test(target) ? target.slice(1) : target;
}

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
