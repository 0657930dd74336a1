import process from "node:process";
import { inspect } from "node:util";
import { CellExit, cameOfEnd, StuckError } from "../cell/mod.ts";
import { currentOutput, latestOutput } from "./output.ts";

/**
 * Keeps what cells leave behind from ending the process: rejections that nobody handles and
 * exceptions in timers are shown by their cell, and `process.exit` is the session's to answer.
 *
 * @returns What takes the guards off again.
 */
export function installGuards(): () => void {
  const onUncaught = (error: unknown): void => {
    // What comes of the end of a cell is no news, whosever it is and however late.
    if (error instanceof CellExit || cameOfEnd(error)) return;
    // Not every runtime tells here whose promise or timer it was.
    const output = currentOutput() ?? latestOutput();
    if (output !== undefined) output.fail(error);
    else rethrow(error);
  };
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  const { exit } = process;
  process.exit = ((status?: number | string | null): never => {
    const output = currentOutput();
    if (output?.exit === undefined) return exit(status);
    const code = toExitStatus(status ?? process.exitCode ?? 0);
    output.exit(code);
    throw new CellExit(code);
  }) as typeof process.exit;

  /** An error from outside of cells ends the process as if nobody had listened. */
  function rethrow(error: unknown): void {
    undo();
    setImmediate(() => {
      throw error;
    });
  }

  function undo(): void {
    process.off("uncaughtException", onUncaught);
    process.off("unhandledRejection", onUncaught);
    process.exit = exit;
  }
  return undo;
}

/**
 * What the process ends with: systems keep eight bits of a status, as the shell that asks for it sees.
 * A failure stays one.
 */
function toExitStatus(status: number | string): number {
  const code = typeof status === "string" && status.trim() === "" ? Number.NaN : Number(status);
  if (!Number.isInteger(code)) {
    throw new TypeError(`Cannot exit with the status ${inspect(status)}: it is not a whole number`);
  }
  return code === 0 ? 0 : code & 255 || 1;
}

/**
 * Calls back where the process would end in the middle of a cell, since nothing is left to wait for.
 * Deno and Bun wait on.
 *
 * @returns What ends the watch.
 */
export function whenStuck(act: (reason: Error) => void): () => void {
  const listener = (): void => act(new StuckError());
  process.on("beforeExit", listener);
  return () => process.off("beforeExit", listener);
}
