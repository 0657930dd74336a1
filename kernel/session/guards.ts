import process from "node:process";
import { CellExit } from "./errors.ts";
import { currentOutput, latestOutput } from "./output.ts";

/**
 * Keeps what cells leave behind from ending the process: rejections that nobody handles and
 * exceptions in timers are shown by their cell, and `process.exit` is the session's to answer.
 *
 * @returns What takes the guards off again.
 */
export function installGuards(): () => void {
  const onUncaught = (error: unknown): void => {
    if (error instanceof CellExit) return;
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
    const code = Number(status ?? process.exitCode ?? 0);
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
