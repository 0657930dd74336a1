import { type Fault, type Faulty, renderBundle, type Secrets } from "../../../lib/mod.ts";
import type { CellError } from "../../session/mod.ts";

/**
 * Moves the positions of an error from a cell's text to the lines of the file that it stands in.
 *
 * @param error What running the cell came to.
 * @param line The line of the file on which the cell begins, from 1.
 * @param secrets What the error, drawn anew, must not show.
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
  // Its own stack would point here.
  delete error.stack;
  return Object.assign(error, faulty);
}

function isFaulty(value: unknown): value is Faulty {
  const { source, faults } = (value ?? {}) as Partial<Faulty>;
  return typeof source === "string" && Array.isArray(faults);
}
