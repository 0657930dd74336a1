import { inspect } from "node:util";
import { toVisibleText } from "../../lib/display/mod.ts";
import { renderBundle, type Secrets } from "../../lib/mod.ts";
import { type CellError, type Frame, SCOPE, SCRIPT } from "./cell/mod.ts";

/** Maps a frame of running code to the user's source. */
export type Locate = (frame: Frame) => Frame | undefined;

/**
 * Describes what a cell has thrown, an error or not, without secrets. The data is masked before the
 * lines are rendered: masking lines would move their carets.
 */
export function toCellError(thrown: unknown, locate: Locate, secrets: Secrets): CellError {
  try {
    return describe(thrown, locate, secrets);
  } catch {
    // A getter or a proxy of the value has thrown.
    const message = "A value that throws when it is inspected";
    return { name: "Thrown", message, traceback: [`Thrown: ${message}`], cause: thrown };
  }
}

function describe(thrown: unknown, locate: Locate, secrets: Secrets): CellError {
  if (!isErrorLike(thrown)) {
    const message = secrets.mask(inspect(thrown));
    const traceback = toVisibleText(`Thrown: ${message}`).split("\n");
    return { name: "Thrown", message, traceback, cause: thrown };
  }
  mapStack(thrown, locate);
  const text = renderBundle(thrown, { inspect, isOwnFrame, secrets: [secrets] })["text/plain"];
  const advice = adviceOn(thrown);
  return {
    name: thrown.name === "" ? "Error" : secrets.mask(thrown.name),
    message: secrets.mask(thrown.message),
    traceback: [...text.split("\n"), ...(advice === undefined ? [] : [advice])],
    cause: thrown,
  };
}

/**
 * Rewrites the stack of an error, and of its causes, with positions in the source that the user
 * wrote. Frames below the user's code are omitted. A rewritten stack is not changed again.
 */
export function mapStack(error: unknown, locate: Locate, seen: Set<unknown> = new Set()): void {
  // Causes may be nested a hundred thousand deep; only the first few are shown.
  if (!isErrorLike(error) || seen.has(error) || seen.size > MAX_MAPPED) return;
  seen.add(error);
  mapStack(error.cause, locate, seen);
  // Those of an AggregateError, and both of a SuppressedError.
  const { errors, error: thrown, suppressed } = error as Error & Record<string, unknown>;
  const gathered: unknown[] = Array.isArray(errors) ? errors : [];
  for (const inner of [...gathered, thrown, suppressed]) mapStack(inner, locate, seen);
  const { stack } = error;
  if (typeof stack !== "string" || mapped.get(error) === stack) return;
  hideScope(error);
  const lines = framesOf(stack, error.message).map((frame) => {
    return { frame, written: mapFrame(frame, locate) };
  });
  // Without a frame of the user, as in a request cell, no frame is kept.
  const isWritten = ({ written }: (typeof lines)[number]): boolean => written !== undefined;
  const last = lines.findLastIndex(isWritten);
  // A failed assertion is reported where it was made, not inside of the library.
  const first = error.name === "AssertionError" ? lines.findIndex(isWritten) : 0;
  const kept = lines
    .slice(Math.max(0, first), last + 1)
    .map(({ frame, written }) => written ?? frame);
  const head = error.message === "" ? error.name : `${error.name}: ${error.message}`;
  try {
    error.stack = [head, ...kept.map((line) => `    ${line}`)].join("\n");
    mapped.set(error, error.stack);
  } catch {
    // A frozen error keeps its stack.
  }
}

/** A runtime names what it could not call as it is written: what is a variable of the cells is its name alone. */
function hideScope(error: Error): void {
  if (!error.message.includes(SCOPE)) return;
  try {
    error.message = error.message.replace(OF_SCOPE, (_, called, read) => called ?? read);
  } catch {
    // A frozen error keeps its message.
  }
}

const OF_SCOPE = new RegExp(
  `\\(0 ?, ${SCOPE}\\.([^()]+)\\)|${SCOPE}\\.([\\p{ID_Continue}$]+)`,
  "gu",
);

/** Whether a line of a stack is a frame of restlab's evaluation of cells. */
const isOwnFrame = (line: string): boolean => line.includes(SCRIPT);

const mapped = new WeakMap<Error, string>();
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
  return (
    typeof value === "object" &&
    value !== null &&
    (value instanceof Error ||
      (typeof (value as Error).message === "string" && typeof (value as Error).name === "string"))
  );
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
function adviceOn({ message }: Error): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(message))?.[1];
}
