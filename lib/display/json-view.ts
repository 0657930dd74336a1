import { type Content, LOOKED_AT } from "../exchange/mod.ts";
import { createNumberText, JSON_NUMBER, messageOf } from "../interpolation/mod.ts";
import { type JsonHead, jsonTokens, parseJson, readJsonHead, repeatedKeys } from "../json/mod.ts";
import type { Block, FieldsBlock, TableBlock } from "./block.ts";
import { isScalar } from "./cell.ts";
import { compactJson, cutText } from "./compact.ts";
import { NO_ORIGIN, type Origin } from "./origin.ts";
import { viewStructure } from "./structure.ts";
import { type Body, beginningOf, noteHidden, shownText, viewText } from "./text-view.ts";
import { formatBytes, formatCount, groupDigits } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

/** Displays parsed JSON: a table, keys and values, or the text of one value. */
export function viewJson(
  value: unknown,
  context: ViewContext,
  origin: Origin = NO_ORIGIN,
): readonly Block[] {
  if (isScalar(value)) {
    const { redactor, limits } = context;
    if (typeof value !== "string" || value.length <= limits.text) {
      return viewText(compactJson(value, limits.text, redactor), "json", context);
    }
    // Quotes distinguish `"5"` from `5`, also at the beginning of a long string.
    const shown = JSON.stringify(redactor.text(value).slice(0, limits.text)).slice(0, -1);
    return [
      { kind: "text", text: shown, language: "json" },
      noteHidden(value.length - limits.text, value.length),
    ];
  }
  if (Array.isArray(value) && value.length === 0) {
    return [{ kind: "note", level: "info", text: "Empty list" }];
  }
  const block = viewStructure(value as object, context, origin);
  if (block.total === 0) return [{ kind: "note", level: "info", text: "Empty object" }];
  if (block.kind === "table" && block.totalColumns === 0) {
    const text = `${formatCount(block.total, "row")} without keys: {}`;
    return [{ kind: "note", level: "info", text }, ...viewPlaceholder(block)];
  }
  return [block, ...viewPlaceholder(block)];
}

/** Displays a JSON body that is not valid: the error, and its values if they follow each other, else its text. */
function viewJsonError(body: Body, error: unknown, context: ViewContext): readonly Block[] {
  const note = warn(cutText(context.redactor.text(messageOf(error)), context.limits.line));
  const values = valuesIn(beginningOf(body).text());
  if (values.length < 2 || !values.every(isObject)) {
    return [note, ...viewText(shownText(body, context), "json", context)];
  }
  const text = "The body is not one value of JSON, but several:";
  return [note, { kind: "note", level: "info", text }, ...viewJson(values, context)];
}

function warn(text: string): Block {
  return { kind: "note", level: "warning", text };
}

/** The values of a text that follow each other, until one is not valid, or is cut. */
function valuesIn(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let depth = 0;
  let from = 0;
  for (const { kind, start, end } of jsonTokens(text)) {
    const mark = kind === "mark" ? text[start] : undefined;
    if (depth === 0) from = start;
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (depth > 0) continue;
    try {
      values.push(parseJson(text.slice(from, end)));
    } catch {
      // What follows is no JSON, or was cut.
      return values;
    }
    if (values.length >= MAX_LINES) return values;
  }
  return values;
}

/** A request is named so that others can use its response: a note says how. */
function viewPlaceholder(block: FieldsBlock | TableBlock): readonly Block[] {
  const { path } = block;
  if (path?.startsWith("{{") !== true) return [];
  const inner = examplePath(block);
  const text = `In later requests: ${path}${inner === undefined ? "" : `, for example ${inner}`}`;
  return [{ kind: "note", level: "info", text }];
}

/** The path of one value, as an example. */
function examplePath(block: FieldsBlock | TableBlock): string | undefined {
  if (block.kind === "table") return block.columnPaths?.find((path) => path !== undefined);
  const field = block.fields.find(({ path }) => path !== undefined);
  return (field?.nested && examplePath(field.nested)) ?? field?.path;
}

/** The bytes up to which a body is parsed whole, which reports all errors in it. */
export const WHOLE = 1_000_000;
/** The bytes up to which a body is checked whole. */
const MOST_CHECKED = 5_000_000;
/** The bytes up to which an invalid body is parsed to find the position of the error. */
const SEARCHED = 20_000_000;

/** Displays a JSON body; only the beginning of a long one is parsed, and the rest is counted. */
export function viewJsonBody(body: Body, context: ViewContext): readonly Block[] {
  const head = body.content.length > WHOLE || body.cut ? readHead(body) : undefined;
  if (head !== undefined && isObject(head.value)) {
    if (head.isWhole || body.cut) {
      // A client searches only the beginning of a long body for secrets; this may be from the rest.
      body.learn?.(head.value, [...head.names]);
      const origin = { ...body.origin, total: head.total };
      const blocks = viewJson(head.value, context, origin);
      return [...viewUnchecked(body, context), ...blocks, foldSource(body, context)];
    }
    if (body.content.length > SEARCHED) return viewBroken(body, context);
  }
  let value: unknown;
  try {
    value = body.json();
  } catch (error) {
    return viewJsonError(body, error, context);
  }
  if (value === undefined) {
    const text = `The body contains only blanks: ${formatBytes(body.content.length)}`;
    return [{ kind: "note", level: "info", text }];
  }
  const blocks = viewJson(
    typeof value === "number" ? ofText(body, value) : value,
    context,
    body.origin,
  );
  if (!isObject(value)) return blocks;
  const repeated = body.content.length > WHOLE ? [] : repeatedKeys(body.text(), MAX_REPEATED);
  const places = cutText(context.redactor.text(repeated.join(", ")), context.limits.line);
  const notes =
    repeated.length === 0 ? [] : [warn(`Repeated keys, of which the last is shown: ${places}`)];
  return [...notes, ...blocks, foldSource(body, context)];
}

/** The faults of bodies that were checked as a whole. */
const CHECKED = new WeakMap<Content, string>();

/** What was only counted may not be JSON: a body that is not too long is checked whole, of others a note tells. */
function viewUnchecked(body: Body, { limits, redactor }: ViewContext): readonly Block[] {
  const { content, cut } = body;
  if (cut) return [];
  if (content.length > MOST_CHECKED) {
    const text = `The body has ${formatBytes(content.length)}: what is not shown was counted, not checked`;
    return [{ kind: "note", level: "info", text }];
  }
  const fault = CHECKED.get(content) ?? faultOf(body);
  CHECKED.set(content, fault);
  return fault === "" ? [] : [warn(cutText(redactor.text(fault), limits.line))];
}

function faultOf(body: Body): string {
  try {
    JSON.parse(body.text());
    return "";
  } catch {
    // The message of the runtime may lack the place, which that of body.json() has.
  }
  try {
    body.json();
    return "";
  } catch (error) {
    return messageOf(error);
  }
}

const MAX_REPEATED = 5;

/** A number as it was written, which is noted beside the members of objects and the items of lists alone. */
function ofText(body: Body, value: number): unknown {
  const text = body.text().trim();
  return JSON_NUMBER.test(text) ? createNumberText(text) : value;
}

/** The heads of long bodies: a body is read once, however often it is displayed until it fits. */
const HEADS = new WeakMap<Content, JsonHead>();

/** Reads the head of a body in UTF-8, the default encoding of JSON. */
function readHead({ content, charset = "utf-8" }: Body): JsonHead | undefined {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) return undefined;
  const head = HEADS.get(content) ?? readJsonHead(content.pieces);
  HEADS.set(content, head);
  return head;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function viewBroken(body: Body, context: ViewContext): readonly Block[] {
  const size = formatBytes(body.content.length);
  const text = `The body is not valid JSON; it is too long (${size}) to locate the error`;
  return [warn(text), ...viewText(shownText(body, context), "json", context)];
}

const MAX_LINES = 1_000;
const MAX_BROKEN = 5;
const LONGEST_LINE = 1_000_000;
const NEWLINE = "\n";
const RECORD_SEPARATOR = "\u001e";

/** Displays JSON Lines and JSON text sequences (RFC 7464) as a table of their records. */
export function viewJsonLines(body: Body, context: ViewContext): readonly Block[] {
  const text = body.text();
  const records: unknown[] = [];
  const broken: { readonly number: number; readonly line: string }[] = [];
  let number = 0;
  let at = 0;
  while (at < text.length && number < MAX_LINES) {
    const end = endOfLine(text, at);
    // In a JSON text sequence, a record separator precedes each record.
    const start = text[at] === RECORD_SEPARATOR ? at + 1 : at;
    const line = text.slice(start, Math.min(end, start + LONGEST_LINE));
    at = end + 1;
    number++;
    if (line.trim() === "") continue;
    try {
      records.push(parseJson(line));
    } catch {
      broken.push({ number, line });
    }
  }
  if (records.length === 0) {
    return [
      ...viewBrokenLines(broken, context),
      ...viewText(shownText(body, context), "json", context),
    ];
  }
  const total = records.length + countLines(text, at);
  const origin: Origin = { total: (list) => (list === records ? total : undefined) };
  return [...viewBrokenLines(broken, context), ...viewJson(records, context, origin)];
}

/** The lines that are not valid, which no row shows. */
function viewBrokenLines(
  lines: readonly { readonly number: number; readonly line: string }[],
  context: ViewContext,
): readonly Block[] {
  if (lines.length === 0) return [];
  const { limits, redactor } = context;
  const places = cutText(lines.map(({ number }) => groupDigits(number)).join(", "), limits.cell);
  const note = warn(
    `${formatCount(lines.length, "line")} cannot be parsed as JSON: line ${places}`,
  );
  const shown = lines
    .slice(0, MAX_BROKEN)
    .map(({ line }) => cutText(redactor.text(line), limits.line));
  return [note, ...viewText(shown.join("\n"), undefined, context)];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf(NEWLINE, from);
  return end === -1 ? text.length : end;
}

/** The number of lines that are not blank, from an index on. */
function countLines(text: string, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; ) {
    const end = endOfLine(text, at);
    if (end > at + 1 || (end === at + 1 && text[at] !== "\r")) count++;
    at = end + 1;
  }
  return count;
}

/** Displays the text of a JSON body, indented; a note says how much of a long one is not shown. */
export function viewJsonSource(
  body: Body,
  context: ViewContext,
  most: number = context.limits.text,
): Block[] {
  const isLong = body.content.length > LOOKED_AT;
  const text = shownText(isLong ? beginningOf(body) : body, context);
  // Indenting makes a text longer, never shorter.
  const indented = indentJson(text.slice(0, most));
  const block: Block = { kind: "text", text: indented.slice(0, most), language: "json" };
  if (text.length <= most && indented.length <= most) return [block];
  const size = formatBytes(body.content.length);
  const note = `The first ${groupDigits(most)} characters of ${size} are shown`;
  return [block, { kind: "note", level: "info", text: note }];
}

/** The source of a JSON body to unfold below its view. */
function foldSource(body: Body, context: ViewContext): Block {
  const title = `JSON (${formatBytes(body.content.length)})`;
  const blocks = viewJsonSource(body, context, context.limits.source);
  return { kind: "fold", title, blocks, isExtra: true };
}

/** Deeper indentation would be longer than the text, and helps nobody. */
const MAX_DEPTH = 50;

/**
 * Indents JSON text without parsing its values, so that numbers keep their digits.
 *
 * @param text JSON; invalid text is indented as far as possible.
 * @example `[1.0,{}]` becomes `[\n  1.0,\n  {}\n]`
 */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let isAfterOpening = false;
  const newLine = (): void =>
    void parts.push("\n", "  ".repeat(Math.min(Math.max(0, depth), MAX_DEPTH)));
  for (const { start, end } of jsonTokens(text)) {
    const token = text.slice(start, end);
    const isClosing = token === "}" || token === "]";
    if (isClosing) depth -= 1;
    // Not at the bracket itself: an empty object or array stays on one line.
    if (isClosing !== isAfterOpening) newLine();
    parts.push(token === ":" ? ": " : token);
    isAfterOpening = token === "{" || token === "[";
    if (isAfterOpening) depth += 1;
    if (token === ",") newLine();
  }
  return parts.join("");
}
