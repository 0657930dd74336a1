import type { Fault } from "../../lib/mod.ts";
import type { ConvertedDiagnostic } from "./load-tslab.ts";

/** Turns the compiler's messages into faults of the cell's text. */
export function toFaults(
  source: string,
  diagnostics: readonly ConvertedDiagnostic[],
): readonly Fault[] {
  return diagnostics.map(({ start, end, messageText, code, fileName }) =>
    fileName === undefined
      ? createFault(source, start.offset, end.offset, `${messageText} (TS${code})`)
      : {
          // The text of a local file is not the cell's: its place is named in words.
          ...createFault(source, 0, 0, ""),
          message: `${fileName}:${start.line + 1}:${start.character + 1} ${messageText} (TS${code})`,
        },
  );
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
