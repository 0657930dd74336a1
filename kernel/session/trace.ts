import { inspect } from "node:util";
import { inspectSafely, isForeignFrame, toVisibleText } from "../../lib/display/mod.ts";
import { callOf } from "../../lib/exchange/mod.ts";
import {
  dataOf,
  isError,
  isUnread,
  itemsOf,
  messageOf,
  readProperty,
} from "../../lib/interpolation/mod.ts";
import { renderBundle, type Secrets } from "../../lib/mod.ts";
import { type CellError, type Frame, SCOPE, SCRIPT } from "./cell/mod.ts";

/** Maps a frame of running code to the user's source. */
export type Locate = (frame: Frame) => Frame | undefined;

/**
 * Describes what a cell has thrown, an error or not, without secrets. The data is masked before the
 * lines are rendered: masking lines would move their carets.
 */
export function toCellError(thrown: unknown, locate: Locate, secrets: Secrets): CellError {
  if (!isErrorLike(thrown)) {
    const message = textOf(thrown, secrets);
    const traceback = toVisibleText(`Thrown: ${message}`).split("\n");
    return { name: "Thrown", message, traceback, cause: thrown };
  }
  mapStack(thrown, locate);
  const text = renderBundle(thrown, { inspect, isOwnFrame, secrets: [secrets] })["text/plain"];
  return {
    name: wordsOf(readProperty(thrown, "name") || "Error", secrets),
    message: wordsOf(readProperty(thrown, "message") ?? "", secrets),
    traceback: [...text.split("\n"), ...adviceOn(messageOf(thrown))],
    cause: thrown,
  };
}

/** What an error says, which may be anything. */
function wordsOf(value: unknown, secrets: Secrets): string {
  return typeof value === "string" ? secrets.mask(value) : textOf(value, secrets);
}

function textOf(value: unknown, secrets: Secrets): string {
  return secrets.mask(inspectSafely(value, inspect));
}

/**
 * Writes the stacks of errors with positions in the source that the user wrote, where code of a cell is in them: also
 * those that a cell reads or prints itself. Frames below the user's code, and those of restlab, are omitted.
 *
 * @returns What ends that.
 * @see https://v8.dev/docs/stack-trace-api, which Bun has, too
 */
export function writeTraces(locate: Locate): () => void {
  if (locates.size === 0) restoreTraces = replaceTraces();
  locates.add(locate);
  return () => {
    if (locates.delete(locate) && locates.size === 0) restoreTraces();
  };
}

/** How each session finds the source of its frames. */
const locates = new Set<Locate>();
let restoreTraces = (): void => undefined;

function replaceTraces(): () => void {
  const { prepareStackTrace: former } = Error;
  const locateInAny: Locate = (frame) => {
    for (const locate of locates) {
      const found = locate(frame);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const replaced: typeof former = (error, sites) => {
    const frames = sites.map((site) => `at ${site}`);
    const written = writeFrames(frames, error, locateInAny);
    if (written.length === 0 && former !== undefined) return former(error, sites);
    const stack = [headOf(error), ...(written.length === 0 ? frames : written)].join("\n    ");
    if (written.length > 0) noteWritten(error, stack, frames);
    return stack;
  };
  Error.prepareStackTrace = replaced;
  return () => {
    // A program that has replaced it meanwhile may call this one for a while.
    if (Error.prepareStackTrace !== replaced) return;
    if (former === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Error.prepareStackTrace = former;
  };
}

/**
 * Rewrites the stack of an error, and of its causes, as {@link writeTraces} does, where the console of the runtime does
 * not read the stack, or a program has its own `Error.prepareStackTrace`.
 */
export function mapStack(error: unknown, locate: Locate): void {
  mapStacks(error, locate, new Set());
}

function mapStacks(error: unknown, locate: Locate, seen: Set<unknown>): void {
  // Causes may be nested a hundred thousand deep; only the first few are shown.
  if (!isErrorLike(error) || seen.has(error) || seen.size > MAX_MAPPED) return;
  seen.add(error);
  const errors = dataOf(error, "errors");
  const gathered = Array.isArray(errors) ? [...itemsOf(errors)] : [];
  // The cause, those of an AggregateError, and both of a SuppressedError.
  const others = ["cause", "error", "suppressed"].map((key) => dataOf(error, key));
  for (const inner of [...others, ...gathered]) mapStacks(inner, locate, seen);
  const stack = readProperty(error, "stack");
  if (typeof stack !== "string") return;
  const frames = framesOf(stack, said(error, "message"));
  const isWritten = stacks.get(error) === stack || stacks.has(callOf(error) ?? error);
  const written = isWritten ? frames : writeFrames(frames, error, locate);
  try {
    const message = dataOf(error, "message");
    if (typeof message === "string" && message.includes(SCOPE)) error.message = hideScope(message);
    // Without a frame of the user, as in a request cell, no frame is kept.
    error.stack = [headOf(error), ...written].join("\n    ");
    noteWritten(error, error.stack, frames);
  } catch {
    // A frozen error keeps its stack.
  }
}

/** Gives an error the stack of another, which was made where the code of the cell is. */
export function placeAt(error: Error, place: Error): void {
  const frames = framesOf(place.stack ?? "", place.message);
  error.stack = [headOf(error), ...frames].join("\n    ");
  if (stacks.has(place)) stacks.set(error, error.stack);
}

/** The number of the script of a cell in which an error was made; the outermost one. */
export function scriptOf(error: object): number | undefined {
  const stack = readProperty(error, "stack");
  const noted = scripts.get(error);
  if (noted !== undefined || typeof stack !== "string") return noted;
  // Bun may have written it by itself, when it collected garbage.
  return scriptIn(framesOf(stack, said(error, "message")));
}

function scriptIn(frames: readonly string[]): number | undefined {
  const [, id] =
    SCRIPT_FRAME.exec(frames.findLast((frame) => SCRIPT_FRAME.test(frame)) ?? "") ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The stacks that are written with positions of the user. */
const stacks = new WeakMap<object, string>();
const scripts = new WeakMap<object, number>();
const SCRIPT_FRAME = new RegExp(`\\b${SCRIPT}(\\d+)`);

function noteWritten(error: object, stack: string, frames: readonly string[]): void {
  stacks.set(error, stack);
  const id = scriptIn(frames);
  if (id !== undefined) scripts.set(error, id);
}

/** The frames in the code of the user, and of what that has called. */
function writeFrames(frames: readonly string[], error: object, locate: Locate): string[] {
  const lines = frames.map((frame) => ({ frame, written: mapFrame(frame, locate) }));
  const isWritten = ({ written }: (typeof lines)[number]): boolean => written !== undefined;
  // A failed assertion is reported where it was made, not inside of the library.
  const first = said(error, "name") === "AssertionError" ? lines.findIndex(isWritten) : 0;
  return lines
    .slice(Math.max(0, first), lines.findLastIndex(isWritten) + 1)
    .filter((line) => isWritten(line) || !isForeignFrame(line.frame))
    .map(({ frame, written }) => written ?? frame);
}

/** The line that a stack begins with. */
function headOf(error: object): string {
  const name = said(error, "name") || "Error";
  const message = said(error, "message");
  return hideScope(message === "" ? name : `${name}: ${message}`);
}

/** The name or the message of an error, which may be anything. */
function said(error: object, key: "name" | "message"): string {
  const value = readProperty(error, key) ?? "";
  return typeof value === "string" || isUnread(value) ? String(value) : "";
}

/** A runtime names what it could not call as it is written: what is a variable of the cells is its name alone. */
function hideScope(text: string): string {
  return text.replace(OF_SCOPE, (_, called, read) => called ?? read);
}

const OF_SCOPE = new RegExp(
  `\\(0 ?, ${SCOPE}\\.([^()]+)\\)|${SCOPE}\\.([\\p{ID_Continue}$]+)`,
  "gu",
);

/** Whether a line of a stack is a frame of restlab's evaluation of cells. */
const isOwnFrame = (line: string): boolean => line.includes(SCRIPT);

const MAX_MAPPED = 500;

/** The frames of a stack; a line of the message may look like one. */
function framesOf(stack: string, message: string): readonly string[] {
  const head = `: ${message}`;
  const at = stack.indexOf(head);
  const lines = stack.slice(at < 0 ? 0 : at + head.length).split("\n");
  return lines.filter((line) => /^\s+at ./.test(line)).map((line) => line.trim());
}

/** A frame of a stack, `at name (file:1:2)` or `at file:1:2`, taken apart at its position. */
interface FrameParts {
  /** Everything before the position. */
  readonly before: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the position that a frame ends with; `undefined` if it has none. */
export function parseFrame(frame: string): FrameParts | undefined {
  const match = /:(\d+):(\d+)\)?$/.exec(frame);
  if (match === null) return undefined;
  const [, line, column] = match;
  return { before: frame.slice(0, match.index), line: Number(line), column: Number(column) };
}

function mapFrame(frame: string, locate: Locate): string | undefined {
  const parts = parseFrame(frame);
  if (parts === undefined) return undefined;
  const { before, line, column } = parts;
  // A path may contain spaces and parentheses.
  const open = frame.endsWith(")") ? before.indexOf(" (") : -1;
  const [name, file] =
    open < 0
      ? ["", before.replace(/^at (async )?/, "")]
      : [before.slice(0, open), before.slice(open + 2)];
  const place = locate({ file: file.replace(/^file:\/\//, ""), line, column });
  if (place === undefined) return undefined;
  const where = `${place.file}:${place.line}:${place.column}`;
  // Functions of earlier cells are properties of a proxy.
  const called = name.replace(/^at /, "").replace(/^(async )?(Proxy|Object)\./, "$1");
  return called === "" || called === "<anonymous>" ? `at ${where}` : `at ${called} (${where})`;
}

function isErrorLike(value: unknown): value is Error {
  const has = (key: string): boolean => typeof dataOf(value, key) === "string";
  return isError(value) || (has("message") && has("name"));
}

/** Advice on errors of the runtime, by their message. */
const ADVICE: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /there is no variable "base" \(/,
    'Set it by "@base = https://api.example.com" or --var base=URL; %demo starts an API to try and sets it',
  ],
  [
    // The messages of Node and Deno, and of Bun.
    /serialize a BigInt|cannot serialize BigInt/i,
    "Numbers beyond 2^53 are bigints, so that they keep their digits: use exchange.text for the text as it " +
      'came, or JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? Number(item) : item)) ' +
      "for rounded numbers",
  ],
];

/** What to do about an error, if there is advice on it. */
function adviceOn(message: string): readonly string[] {
  return ADVICE.filter(([pattern]) => pattern.test(message)).map(([, advice]) => advice);
}
