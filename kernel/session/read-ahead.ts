import { parseEntries } from "../../lib/request/mod.ts";
import { kindOfCell } from "./cell/mod.ts";

/** Reads a cell that comes next, while nothing else is to be done: what was read last is remembered. */
export function readAhead(code: string): void {
  try {
    const { kind, text } = kindOfCell(code);
    if (kind === "request") parseEntries(text);
  } catch {
    // What is wrong with it is told when it is run.
  }
}
