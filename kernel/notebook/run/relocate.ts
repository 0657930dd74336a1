import { type Fault, type Faulty, renderBundle, type Secrets } from "../../../lib/mod.ts";
import type { CellError } from "../../session/mod.ts";

/**
 * Moves the positions of an error from the text of a cell to the lines of its file.
 *
 * @param line The line of the file on which the cell begins, from 1.
 * @param secrets Masked in the new traceback.
 */
export function relocate(error: CellError, line: number, secrets: Secrets): CellError {
  const { cause } = error;
  if (line === 1 || !isFaulty(cause)) return error;
  const above = line - 1;
  const moved = {
    name: error.name,
    message: error.message,
    source: "\n".repeat(above) + cause.source,
    faults: cause.faults.map((fault) => moveFault(fault, above)),
  };
  const text = renderBundle(toError(moved), { secrets: [secrets] })["text/plain"];
  return { ...error, traceback: text.split("\n") };
}

function moveFault(fault: Fault, above: number): Fault {
  const { start, end } = fault.span;
  return { ...fault, line: fault.line + above, span: { start: start + above, end: end + above } };
}

function toError({ name, message, ...faulty }: Faulty & { name: string; message: string }): Error {
  const error = new Error(message);
  error.name = name;
  // The stack would be one of this function.
  delete error.stack;
  return Object.assign(error, faulty);
}

function isFaulty(value: unknown): value is Faulty {
  const { source, faults } = (value ?? {}) as Partial<Faulty>;
  return typeof source === "string" && Array.isArray(faults);
}
