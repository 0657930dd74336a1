import type { CellError } from "../../session/mod.ts";

export function toOutputError(cause: unknown): CellError {
  const name = "OutputError";
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `An output could not be shown: ${reason.split("\n", 1)[0]}`;
  return { name, message, traceback: [`${name}: ${message}`], cause };
}
