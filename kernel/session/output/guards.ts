import process from "node:process";
import { inspect } from "node:util";
import { CellExit, cameOfEnd, StuckError } from "../cell/mod.ts";
import { currentOutput, latestOutput } from "./output.ts";

/**
 * Keeps cells from ending the process: unhandled rejections and uncaught exceptions are shown by their
 * cell, and `process.exit` is passed to the session.
 *
 * @returns What removes the guards.
 */
export function installGuards(): () => void {
  const onUncaught = (error: unknown): void => {
    // The end of a cell was reported already.
    if (error instanceof CellExit || cameOfEnd(error)) return;
    // Some runtimes lose the context of the promise or timer here.
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

  /** An error of other code ends the process, as it would without the guards. */
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
 * The status that the system reports, which has eight bits. A failure stays a failure.
 */
function toExitStatus(status: number | string): number {
  const code = typeof status === "string" && status.trim() === "" ? Number.NaN : Number(status);
  if (!Number.isInteger(code)) {
    throw new TypeError(`Cannot exit with the status ${inspect(status)}: it is not a whole number`);
  }
  return code === 0 ? 0 : code & 255 || 1;
}

/**
 * Calls back if the process would end in the middle of a cell, because nothing is left to wait for.
 * Deno and Bun keep waiting.
 *
 * @returns What stops watching.
 */
export function whenStuck(act: (reason: Error) => void): () => void {
  const listener = (): void => act(new StuckError());
  process.on("beforeExit", listener);
  return () => process.off("beforeExit", listener);
}
