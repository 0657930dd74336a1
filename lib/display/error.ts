import { NoResponseError } from "../exchange/mod.ts";
import {
  dataOf,
  type Fault,
  type Faulty,
  findProperty,
  isError,
  isRecord,
  itemsOf,
  keysOf,
  readable,
  readMember,
  readProperty,
} from "../interpolation/mod.ts";
import type { Block } from "./block.ts";
import { toCell } from "./cell.ts";
import { compactJson, cutText } from "./compact.ts";
import type { Limits } from "./limits.ts";
import { formatCount } from "./units.ts";
import {
  createViewContext,
  forData,
  type Hidden,
  maskFault,
  type ViewContext,
} from "./view-context.ts";
import { toVisibleLine } from "./visible.ts";
import { graphemes, graphemeWidth, textWidth } from "./width.ts";

const DEEPEST_CAUSE = 5;

/** Options of displaying an error. */
export interface ErrorOptions {
  /** How much is shown; by default a screen or two. */
  readonly limits?: Limits | undefined;
  /** What is masked besides the secrets of an exchange: texts, and the secrets of clients. */
  readonly secrets?: readonly Hidden[] | undefined;
  /** The width of a caret drawing in columns, 100 by default. */
  readonly width?: number | undefined;
  /** Whether a line of the stack is not in the code of the user. */
  readonly isOwnFrame?: ((line: string) => boolean) | undefined;
}

/**
 * Displays an error: name and message, a caret drawing of each fault in its source text, the stack trace
 * in the code of the user, and its causes.
 *
 * @param error What was thrown.
 */
export function viewError(error: unknown, options: ErrorOptions = {}): Block[] {
  return viewOne(error, options, createViewContext(options.limits, options.secrets), []);
}

/** Displays an error as part of another view. */
export function viewErrorAsPart(error: unknown, context: ViewContext): Block[] {
  return viewOne(error, {}, context, []);
}

/** @param outer The errors that it is the cause of, or gathered in. */
function viewOne(
  given: unknown,
  options: ErrorOptions,
  context: ViewContext,
  outer: readonly unknown[],
): Block[] {
  const { limits, redactor } = context;
  const error = readable(given);
  const read = (value: unknown, most: number): string =>
    typeof value === "string"
      ? cutText(redactor.text(value), most)
      : compactJson(value, most, redactor);
  if (!isRecord(error) || !(isError(error) || typeof dataOf(error, "message") === "string")) {
    return [{ kind: "error", name: "Thrown", message: read(error, limits.line) }];
  }
  const name = read(readProperty(error, "name") || "Error", limits.cell);
  const message = read(readProperty(error, "message") ?? "", limits.line);
  const faulty = isFaulty(error);
  const blocks: Block[] = [
    { kind: "error", name, message: faulty ? headOf(error, message) : message },
  ];
  if (faulty) blocks.push(...drawFaults(error, options.width ?? 100, context));
  const trace = traceOf(error, options.isOwnFrame).slice(0, limits.notes);
  if (trace.length > 0) {
    blocks.push({
      kind: "text",
      text: trace.map((line) => `    ${cutText(redactor.text(line), limits.line)}`).join("\n"),
    });
  }
  if (!faulty) blocks.push(...viewOwnMembers(error, name, context));
  // The message of a NoResponseError explains its causes, which are errors of fetch.
  if (outer.length >= DEEPEST_CAUSE || error instanceof NoResponseError) return blocks;
  const seen = [...outer, error];
  for (const [heading, inner] of innerErrors(error).slice(0, limits.notes)) {
    // An error may be its own cause.
    if (seen.includes(inner)) continue;
    blocks.push({ kind: "note", level: "info", text: heading });
    blocks.push(...viewOne(inner, options, context, seen));
  }
  return blocks;
}

/** Members that other blocks show. */
const SHOWN_ELSEWHERE = new Set("name message stack cause errors error suppressed".split(" "));
/** Errors whose messages say all that their members do. */
const EXPLAINED_BY_MESSAGE = new Set(["AssertionError", "UnansweredError"]);

/** What an error carries besides, such as `code` and `status`, each on one line. */
function viewOwnMembers(error: object, name: string, context: ViewContext): Block[] {
  if (EXPLAINED_BY_MESSAGE.has(name) || error instanceof NoResponseError) return [];
  const { limits } = context;
  const { redactor } = forData(context);
  const keys = [...keysOf(error)].filter((key) => !SHOWN_ELSEWHERE.has(key));
  if (keys.length === 0) return [];
  const fields = keys.slice(0, limits.rows).map((key) => ({
    key: cutText(redactor.key(key), limits.cell),
    value: toCell(readMember(error, key), limits.cell, redactor.at(key)),
  }));
  return [{ kind: "fields", of: "object", fields, total: keys.length }];
}

/** The cause of an error, the errors of an AggregateError, or both of a SuppressedError. */
function innerErrors(error: Readonly<Record<string, unknown>>): (readonly [string, unknown])[] {
  const [cause, errors] = ["cause", "errors"].map((key) => dataOf(error, key));
  const gathered =
    error instanceof AggregateError && Array.isArray(errors) ? [...itemsOf(errors)] : [];
  const isSuppressed =
    dataOf(error, "name") === "SuppressedError" && findProperty(error, "suppressed") !== undefined;
  return [
    ...(cause === undefined ? [] : [["Caused by", cause] as const]),
    ...gathered.map((inner: unknown) => ["Together with", inner] as const),
    ...(isSuppressed
      ? ([
          ["Thrown while disposing", dataOf(error, "error")],
          ["It suppressed", dataOf(error, "suppressed")],
        ] as const)
      : []),
  ];
}

/** A message that only lists the faults is not repeated: each is in its drawing. */
function headOf({ faults }: Faulty, message: string): string {
  const [first] = faults;
  if (first === undefined || !message.includes(first.message.slice(0, 200))) return message;
  const { line, column } = first;
  return faults.length === 1
    ? `line ${line}, column ${column}`
    : formatCount(faults.length, "fault");
}

function drawFaults({ source, faults }: Faulty, width: number, context: ViewContext): Block[] {
  const { limits, redactor } = context;
  const shown = faults.slice(0, limits.notes);
  const cut = (text: string): string => cutText(redactor.text(text), limits.line);
  const drawings = shown.map((fault) => {
    const masked = maskFault(source, fault, context);
    return drawFault(masked.source, masked.fault, width, cut).join("\n");
  });
  const drawn = cutText(drawings.join("\n\n"), limits.text);
  const blocks: Block[] = [{ kind: "text", text: drawn, isDrawing: true }];
  const rest = faults.length - shown.length;
  if (rest > 0)
    blocks.push({ kind: "note", level: "info", text: `And ${formatCount(rest, "more fault")}` });
  return blocks;
}

function isFaulty(value: object): value is Faulty {
  const [source, faults] = ["source", "faults"].map((key) => dataOf(value, key));
  return (
    typeof source === "string" &&
    Array.isArray(faults) &&
    faults.length > 0 &&
    faults.every(isFault)
  );
}

function isFault(value: unknown): value is Fault {
  if (!isRecord(value) || !isRecord(value["span"])) return false;
  return (
    typeof value["message"] === "string" &&
    Number.isInteger(value["line"]) &&
    Number.isInteger(value["span"]["start"]) &&
    Number.isInteger(value["span"]["end"])
  );
}

const TAB = "    ";

/**
 * Draws a fault: its line with the number, carets under its span, the message, and the hint.
 *
 * @param source The whole source text.
 * @param fault The fault.
 * @param width The width in columns; of a longer line, the part around the span is shown.
 * @param cut Shortens a message or a hint.
 */
function drawFault(
  source: string,
  fault: Fault,
  width: number,
  cut: (text: string) => string = (text) => text,
): string[] {
  const start = clamp(fault.span.start, source.length);
  const from = source.lastIndexOf("\n", start - 1) + 1;
  const newline = source.indexOf("\n", from);
  const line = source.slice(from, newline === -1 ? source.length : newline).replace(/\r$/, "");
  const number = String(fault.line);
  const gutter = " ".repeat(number.length);
  const view = windowOf(
    line,
    start - from,
    clamp(fault.span.end, source.length) - from,
    width - number.length - 4,
  );
  return [
    `${number} │ ${view.text}`.trimEnd(),
    `${gutter} │ ${" ".repeat(view.column)}${"^".repeat(view.carets)}`,
    ...cut(fault.message)
      .split("\n")
      .map((text) => `${gutter} │ ${toVisibleLine(text)}`),
    ...cut(fault.hint ?? "")
      .split("\n")
      .filter(Boolean)
      .map((text) => `${gutter} = ${toVisibleLine(text)}`),
  ];
}

interface Window {
  readonly text: string;
  readonly column: number;
  readonly carets: number;
}

/** The part of a line around a span, in columns of a terminal. */
function windowOf(line: string, start: number, end: number, width: number): Window {
  // Only what can be visible is measured: a line may have megabytes.
  const room = Math.max(20, width);
  const begin = boundary(line, Math.max(0, start - room));
  const lead = show(line.slice(begin, Math.min(start, line.length)));
  const span = show(line.slice(start, Math.min(Math.max(end, start), line.length, start + room)));
  const rest = show(line.slice(Math.max(end, start), Math.max(end, start) + room));
  const before = lastColumns(
    lead,
    span === "" ? room - 12 : Math.max(8, Math.floor(room / 2)),
    begin > 0,
  );
  const column = textWidth(before);
  const marked = firstColumns(span, room - column - 1, end - start > room);
  const carets = Math.max(1, textWidth(marked));
  const cut = marked !== span || end - start > room;
  const after = cut ? "" : firstColumns(rest, room - column - carets, end + room < line.length);
  return { text: before + marked + after, column, carets };
}

function show(text: string): string {
  return toVisibleLine(text.replaceAll("\t", TAB));
}

function firstColumns(text: string, columns: number, more: boolean): string {
  if (textWidth(text) <= columns && !more) return text;
  let width = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}

function lastColumns(text: string, columns: number, more: boolean): string {
  let left = textWidth(text);
  if (left <= columns && !more) return text;
  let from = 0;
  for (const { segment, index } of graphemes(text)) {
    if (left <= columns - 1) break;
    left -= graphemeWidth(segment);
    from = index + segment.length;
  }
  return `…${text.slice(from)}`;
}

function boundary(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(0, offset), length);
}

// Frames of the runtime: Node and Deno name their modules, Bun has no file for them.
const FOREIGN =
  /\bnode:|\bext:|\(native\)|\[native code\]|\((?:unknown|:0)\)|<anonymous>\)?$|\/node_modules\/(?:tslab|ky)\//;

const LONGEST = 50_000;

/**
 * Returns the lines of a stack trace that are in the code of the user: no frames of restlab, of tslab or of
 * the runtime.
 *
 * @param error What was thrown.
 * @param isOwn Whether a line is not in the code of the user for another reason.
 */
function traceOf(error: object, isOwn: (line: string) => boolean = () => false): string[] {
  const stack = readProperty(error, "stack");
  if (typeof stack !== "string") return [];
  // The stack repeats name and message, which may contain lines that look like frames.
  const said = readProperty(error, "message");
  const message = typeof said === "string" ? said : "";
  const start = message === "" ? 0 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .slice(0, LONGEST)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at |@/.test(line) && !isForeignFrame(line) && !isOwn(line));
}

/** A frame of a stack trace, and what follows it in a value. */
const FRAME = /^\s+at .*?(?::\d+\)?|>\)?|\(native\))([\s,\]}{]*)$/;

/**
 * The text of a value without the frames of its errors that are not in the code of the user.
 *
 * @param isOwn Whether a line is not in the code of the user for another reason.
 */
export function withoutOwnFrames(
  text: string,
  isOwn: (line: string) => boolean = () => false,
): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const after = FRAME.exec(line)?.[1];
    if (after === undefined || !(isForeignFrame(line) || isOwn(line))) lines.push(line);
    // The comma of the last frame belongs to the error.
    else lines.push((lines.pop() ?? "") + after);
  }
  return lines.join("\n");
}

/** Whether a line of a stack is a frame of this library, of a kernel or of the runtime. */
export function isForeignFrame(line: string): boolean {
  if (FOREIGN.test(line)) return true;
  // The folder of this package: of its sources in lib and kernel, or of its build in dist. A script that is no module,
  // into which a bundler has put it, has no such URL.
  const url = import.meta.url as string | undefined;
  const path = url?.replace(/(?:lib\/display|dist)\/(?!.*\/dist\/).*$|^file:\/\//g, "");
  if (path === undefined) return false;
  return ["lib/", "kernel/", "dist/"].some((folder) => line.includes(path + folder));
}
