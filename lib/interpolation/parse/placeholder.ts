import {
  type BrokenPlaceholder,
  broken,
  expected,
  notClosed,
  notProperty,
} from "./broken-placeholder.ts";
import { readQuery } from "./json-path-query.ts";
import { nameEnd, nameStartWidth } from "./names.ts";
import { FROM_THE_END, JSON_PATH } from "./path-hints.ts";
import type { Placeholder } from "./template.ts";

const NO_STEPS: readonly never[] = Object.freeze([]);

/**
 * Reads the placeholder whose two opening braces stand at `open`.
 *
 *     placeholder = "{{" blanks ( [ "%" ] path | generated ) blanks "}}"
 *     path        = name { blanks step }
 *     step        = "." blanks property | "[" blanks ( index | quoted ) blanks "]"
 *                 | "." blanks ( "$" | "*" )      which step nowhere: VS Code's REST Client writes
 *                                                 them for the root and, last, for a whole body
 *                 | "." blanks jsonpath           where what follows the "$" is no step of these
 *     generated   = "$" name argument         argument = any text of the line without "}}"
 *     name        = ( letter | "_" ) { property character }
 *     property    = ( letter | mark | digit | "_" | "-" ) ...
 *     blanks      = { space | tab }           a line break is none: a placeholder stands on one line
 *
 * @param text The text to read from.
 * @param open Where the first brace stands.
 * @param start Where the first character stands that is no blank after them.
 * @param base What is added to offsets in `text` to get those of the source.
 * @returns The placeholder, what is broken about it, or nothing where the braces are plain text.
 */
export function readPlaceholder(
  text: string,
  open: number,
  start: number,
  base: number,
): Placeholder | BrokenPlaceholder | undefined {
  const width = nameStartWidth(text, start);
  if (width === 0) {
    if (text.charCodeAt(start) === 0x25) return readEncoded(text, open, start, base);
    return text.charCodeAt(start) === 0x24 ? readGenerated(text, open, start, base) : undefined;
  }
  const end = nameEnd(text, start + width);
  const name = text.slice(start, end);
  if (text.charCodeAt(end) === 0x7d && text.charCodeAt(end + 1) === 0x7d) {
    const span = { start: base + open, end: base + end + 2 };
    return { kind: "path", name, steps: NO_STEPS, text: name, span };
  }
  return readSteps(text, open, start, name, end, base);
}

/** The first index from `index` on at which no space or tab stands. */
function skipBlanks(text: string, index: number): number {
  let end = index;
  let code = text.charCodeAt(end);
  while (code === 0x20 || code === 0x09) code = text.charCodeAt(++end);
  return end;
}

function readSteps(
  text: string,
  open: number,
  start: number,
  name: string,
  afterName: number,
  base: number,
): Placeholder | BrokenPlaceholder {
  let steps: (string | number)[] | undefined;
  let end = afterName;
  let root = -1;
  let beforeRoot = 0;
  let fault: BrokenPlaceholder;
  for (;;) {
    const at = skipBlanks(text, end);
    const code = text.charCodeAt(at);
    if (code === 0x7d && text.charCodeAt(at + 1) === 0x7d) {
      const span = { start: base + open, end: base + at + 2 };
      return {
        kind: "path",
        name,
        steps: steps ?? NO_STEPS,
        text: text.slice(start, end),
        span,
      };
    }
    if (code === 0x2e) {
      const from = skipBlanks(text, at + 1);
      end = nameEnd(text, from);
      if (end === from) {
        const mark = text.charCodeAt(from);
        if (mark !== 0x24 && mark !== 0x2a) {
          fault = notProperty(text, from);
          break;
        }
        end = from + 1;
        if (mark === 0x24 && root === -1) {
          root = from;
          beforeRoot = steps?.length ?? 0;
        }
        // In the middle of a path it would choose among several values.
        if (mark === 0x2a && (root !== -1 || !/^[ \t]*\}\}/.test(text.slice(end, end + 80)))) {
          fault = broken(
            from,
            '"*" means the whole body and is allowed only at the end',
            JSON_PATH,
          );
          break;
        }
        continue;
      }
      steps = withStep(steps, text.slice(from, end));
    } else if (code === 0x5b) {
      const read = readBracket(text, at);
      if ("kind" in read) {
        fault = read;
        break;
      }
      steps = withStep(steps, read.step);
      end = read.end;
    } else {
      return notClosed(text, at);
    }
  }
  if (root === -1) return fault;
  // Behind a `$` what is no step may be a JSONPath.
  const query = readQuery(text, root);
  if ("kind" in query) return query;
  return {
    kind: "path",
    name,
    steps: steps?.slice(0, beforeRoot) ?? NO_STEPS,
    query: text.slice(root, query.end).trimEnd(),
    text: text.slice(start, query.end).trimEnd(),
    span: { start: base + open, end: base + query.end + 2 },
  };
}

/** `{{%name}}`: a path behind a percent sign. */
function readEncoded(
  text: string,
  open: number,
  percent: number,
  base: number,
): Placeholder | BrokenPlaceholder | undefined {
  const start = percent + 1;
  if (nameStartWidth(text, start) === 0) return undefined;
  const read = readPlaceholder(text, open, start, base);
  if (read?.kind !== "path") return read;
  return { ...read, text: `%${read.text}`, encoded: true };
}

/** Most paths have one step, and V8 gives an empty list room for 17 at its first `push`. */
function withStep(
  steps: (string | number)[] | undefined,
  step: string | number,
): (string | number)[] {
  if (steps === undefined) return [step];
  steps.push(step);
  return steps;
}

function readBracket(
  text: string,
  bracket: number,
): { readonly step: string | number; readonly end: number } | BrokenPlaceholder {
  const from = skipBlanks(text, bracket + 1);
  const quote = text.charCodeAt(from);
  const read =
    quote === 0x22 || quote === 0x27 ? readQuoted(text, from, quote) : readIndex(text, from);
  if ("kind" in read) return read;
  const close = skipBlanks(text, read.end);
  if (text.charCodeAt(close) !== 0x5d) {
    return expected(text, close, '"]"', /[:,]/.test(text[close] ?? "") ? JSON_PATH : undefined);
  }
  return { step: read.step, end: close + 1 };
}

function readIndex(
  text: string,
  from: number,
): { readonly step: number; readonly end: number } | BrokenPlaceholder {
  let end = from;
  let step = 0;
  for (;;) {
    const digit = text.charCodeAt(end) - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    step = step * 10 + digit;
    end++;
  }
  if (end === from) {
    const isChoice = /[?*:@]/.test(text[from] ?? "");
    const hint = isChoice ? JSON_PATH : text[from] === "-" ? FROM_THE_END : undefined;
    return expected(text, from, 'a whole number from 0 or a quoted key after "["', hint);
  }
  if (step > Number.MAX_SAFE_INTEGER) return broken(from, "the index is too large");
  return { step, end };
}

function readQuoted(
  text: string,
  from: number,
  quote: number,
): { readonly step: string; readonly end: number } | BrokenPlaceholder {
  let step = "";
  let copied = from + 1;
  for (let index = copied; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) return { step: step + text.slice(copied, index), end: index + 1 };
    if (code === 0x0a || code === 0x0d) break;
    if (code !== 0x5c) continue;
    const escaped = text.charCodeAt(index + 1);
    if (escaped !== 0x22 && escaped !== 0x27 && escaped !== 0x5c) {
      return broken(index, "a backslash in a quoted key may only precede a quote or a backslash");
    }
    step += text.slice(copied, index);
    copied = ++index;
  }
  return broken(from, "the quoted key is not closed on its line");
}

function readGenerated(
  text: string,
  open: number,
  dollar: number,
  base: number,
): Placeholder | BrokenPlaceholder | undefined {
  const width = nameStartWidth(text, dollar + 1);
  if (width === 0) return undefined;
  const end = nameEnd(text, dollar + 1 + width);
  for (let index = end; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x0a || code === 0x0d) return expected(text, index, '"}}"');
    if (code !== 0x7d || text.charCodeAt(index + 1) !== 0x7d) continue;
    return {
      kind: "generated",
      name: text.slice(dollar, end),
      argument: text.slice(end, index).trim(),
      text: text.slice(dollar, index).trim(),
      span: { start: base + open, end: base + index + 2 },
    };
  }
  return expected(text, text.length, '"}}"');
}
