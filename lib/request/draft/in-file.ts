import { type Fault, type Faulty, UnresolvedPlaceholderError } from "../../interpolation/mod.ts";
import type { RequestDraft } from "./draft.ts";
import { RequestCheckError } from "./errors.ts";

/** Adds the file of an imported request to an error about its text. */
export function nameFile(error: unknown, { file }: Pick<RequestDraft, "file">): unknown {
  if (file === undefined || !isFaulty(error)) return error;
  const faults = error.faults.map((fault) => ({ ...fault, message: inFile(fault, file) }));
  return error instanceof UnresolvedPlaceholderError
    ? new UnresolvedPlaceholderError(error.source, faults)
    : new RequestCheckError(error.source, faults);
}

/** The message of a fault with its place in another file. */
export function inFile({ message, line, column }: Fault, file: string): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Whether an error has a source text and faults. */
export function isFaulty(error: unknown): error is Faulty {
  return error instanceof Error && "source" in error && "faults" in error;
}
