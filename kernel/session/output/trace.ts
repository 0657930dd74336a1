import { inspect } from "node:util";
import { toVisibleText } from "../../../lib/display/mod.ts";
import { renderBundle, type Secrets } from "../../../lib/mod.ts";
import type { CellError, Frame } from "../cell/mod.ts";
import { adviceOn } from "./advice.ts";

/** Finds the place in the user's text that a place in running code stems from. */
export type Locate = (frame: Frame) => Frame | undefined;

const PLACE = /^(.*?)\(?((?:file:\/\/)?[^\s()]+):(\d+):(\d+)\)?$/;

/**
 * Turns what a cell has thrown, an error or not, into what a front end shows, without secrets. The
 * lines are made of what is masked, and are not masked themselves: carets stand in them.
 */
export function toCellError(thrown: unknown, locate: Locate, secrets: Secrets): CellError {
  try {
    return describe(thrown, locate, secrets);
  } catch {
    // A getter or a proxy of what was thrown threw in its turn: no more can be said of it.
    const message = "A value that throws when it is looked at";
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
 * Rewrites the stack of an error, and of what caused it, so that it names the lines that the user
 * wrote. Frames below the user's code are left out. A stack that was rewritten before stays.
 */
export function mapStack(error: unknown, locate: Locate, seen: Set<unknown> = new Set()): void {
  // Errors may be causes of causes a hundred thousand deep; a person is shown the first few.
  if (!isErrorLike(error) || seen.has(error) || seen.size > MOST_MAPPED) return;
  seen.add(error);
  mapStack(error.cause, locate, seen);
  if (error instanceof AggregateError) {
    for (const inner of error.errors) mapStack(inner, locate, seen);
  }
  const { stack } = error;
  if (typeof stack !== "string" || mapped.get(error) === stack) return;
  const frames = stack.split("\n").filter((line) => /^\s*at .|.@/.test(line));
  const lines = frames.map((frame) => ({ frame, written: mapFrame(frame.trim(), locate) }));
  // Without a frame of the user's, as in a request cell, nothing is left.
  const last = lines.findLastIndex(({ written }) => written !== undefined);
  const kept = lines.slice(0, last + 1).map(({ frame, written }) => written ?? frame.trim());
  const head = error.message === "" ? error.name : `${error.name}: ${error.message}`;
  try {
    error.stack = [head, ...kept.map((line) => `    ${line}`)].join("\n");
    mapped.set(error, error.stack);
  } catch {
    // A frozen error keeps the stack that it has.
  }
}

/** Lines of a stack that could not be rewritten. */
const isOwnFrame = (line: string): boolean => line.includes("restlab-cell-");

const mapped = new WeakMap<Error, string>();
const MOST_MAPPED = 500;

function mapFrame(frame: string, locate: Locate): string | undefined {
  const match = PLACE.exec(frame);
  if (match === null) return undefined;
  const [, before = "", file = "", line, column] = match;
  const place = locate({
    file: file.replace(/^file:\/\//, ""),
    line: Number(line),
    column: Number(column),
  });
  if (place === undefined) return undefined;
  // Functions of earlier cells are called as properties of the object that keeps them.
  const name = before.replace(/^(at )?/, "").replace(/^(async )?(Proxy|Object)\./, "$1");
  const where = `${place.file}:${place.line}:${place.column}`;
  return name.trim() === "" || name.trim() === "<anonymous>"
    ? `at ${where}`
    : `at ${name.trim()} (${where})`;
}

function isErrorLike(value: unknown): value is Error {
  return (
    typeof value === "object" &&
    value !== null &&
    (value instanceof Error ||
      (typeof (value as Error).message === "string" && typeof (value as Error).name === "string"))
  );
}
