import { closeSync, constants, openSync, readSync } from "node:fs";
import { toVisibleLine } from "../../lib/display/mod.ts";
import type { LoopBreaker } from "../platform/mod.ts";
import { createQuestions, InterruptedError, QUESTION_TYPES } from "../session/cell/mod.ts";
import type { SessionOptions } from "../session/mod.ts";
import { eraseProgress } from "../terminal/mod.ts";
import { setEcho } from "./editor/mod.ts";
import type { Asker } from "./open-prompt.ts";

/** The globals with which cells ask at the terminal. */
export function createCellQuestions(
  { begin }: Pick<Asker, "begin">,
  { scripts }: Pick<LoopBreaker, "scripts">,
): Required<Pick<SessionOptions, "globals" | "globalTypes">> {
  const globals = createQuestions((_, message, isHidden) => {
    eraseProgress();
    const show = (): void => begin(toVisibleLine(message));
    const line = readLineAtOnce(show, isHidden, scripts.mustEnd);
    // Neither the answer nor its end was shown.
    if (isHidden) begin("\n");
    return line;
  });
  return { globals, globalTypes: QUESTION_TYPES };
}

/** Milliseconds between two looks at the terminal. */
const STEP = 20;
const NEWLINE = 10;

/**
 * Reads a line from the terminal while this thread waits, so that code of a cell may ask without `await`.
 *
 * @param show Shows the question.
 * @param isHidden Whether what is typed is not shown.
 * @param mustEnd Whether the cell that asks was interrupted.
 * @returns The line; empty at Ctrl-D.
 */
function readLineAtOnce(show: () => void, isHidden: boolean, mustEnd: () => boolean): string {
  // A file of its own: what the runtime reads from standard input waits for this thread.
  const terminal = openTerminal();
  const bytes: number[] = [];
  setEcho(!isHidden);
  // A fast answer must be hidden, too.
  show();
  try {
    for (;;) {
      if (mustEnd()) throw new InterruptedError();
      const [byte] = readByte(terminal);
      if (byte === undefined) pause();
      else if (byte === NEWLINE || byte === END)
        return new TextDecoder().decode(Uint8Array.from(bytes));
      else bytes.push(byte);
    }
  } finally {
    if (isHidden) setEcho(true);
    closeSync(terminal);
  }
}

function openTerminal(): number {
  try {
    return openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw new Error("Asking failed: there is no terminal to answer at", { cause });
  }
}

/** Ctrl-D, at which a terminal returns nothing. */
const END = -1;

/** The next byte; nothing while there is none. */
function readByte(file: number): readonly number[] {
  const byte = new Uint8Array(1);
  try {
    return readSync(file, byte) === 0 ? [END] : [...byte];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return [];
    throw error;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP);
}
