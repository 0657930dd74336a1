import { dirname, resolve } from "node:path";
import type { Fault } from "../../../lib/mod.ts";
import { requestHint } from "../cell/mod.ts";
import type { ConvertedDiagnostic } from "../compiler/mod.ts";
import { explainMissing } from "./missing-module.ts";

/**
 * Turns the compiler's messages into faults of the cell's text.
 *
 * @param directory The folder that the cell's imports start from.
 */
export function toFaults(
  source: string,
  diagnostics: readonly ConvertedDiagnostic[],
  directory: string,
): readonly Fault[] {
  const hint = requestHint(source);
  const faults = diagnostics.map((diagnostic) => {
    const { start, end, fileName } = diagnostic;
    const from = fileName === undefined ? directory : dirname(resolve(directory, fileName));
    const message = `${wordsOf(diagnostic, from)} (TS${diagnostic.code})`;
    if (fileName === undefined) return createFault(source, start.offset, end.offset, message);
    // The text of a local file is not the cell's: its place is named in words.
    const place = `${fileName}:${start.line + 1}:${start.character + 1}`;
    return { ...createFault(source, 0, 0, ""), message: `${place} ${message}` };
  });
  const [first, ...rest] = faults;
  return first === undefined || hint === undefined ? faults : [{ ...first, hint }, ...rest];
}

const MISSING_MODULE = 2307;

function wordsOf({ code, messageText }: ConvertedDiagnostic, directory: string): string {
  const name = code === MISSING_MODULE ? /'([^']+)'/.exec(messageText)?.[1] : undefined;
  return name === undefined ? messageText : explainMissing(name, directory);
}

/** A fault at an offset; line and column are counted in code points. */
export function createFault(source: string, from: number, to: number, message: string): Fault {
  const start = Math.max(0, Math.min(from, source.length));
  const end = Math.max(start, Math.min(to, source.length));
  const before = source.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    message,
    span: { start, end },
    line: before.split("\n").length,
    column: [...before.slice(lineStart)].length + 1,
  };
}
