import { dirname, relative } from "node:path";
import { createFault } from "../../../lib/interpolation/mod.ts";
import type { Fault, SourceText } from "../../../lib/mod.ts";
import { requestHint } from "../cell/mod.ts";
import type { Compiler, Diagnostic } from "../compiler/mod.ts";
import { explainMissing } from "./missing-module.ts";

/** Where diagnostics were found. */
export interface CheckedText extends SourceText {
  /** The folder that the cell's imports start from. */
  readonly directory: string;
  /** Whether a file is the cell; any other is the user's own. */
  readonly isCell: (file: { readonly fileName: string }) => boolean;
}

/** Turns the compiler's messages into faults of the cell's text. */
export function toFaults(
  compiler: Compiler,
  diagnostics: readonly Diagnostic[],
  { source, firstLine, directory, isCell }: CheckedText,
): readonly Fault[] {
  const cell = { source, firstLine };
  const hint = requestHint(source);
  const faults = diagnostics.flatMap((diagnostic) => {
    const { file, start = 0, length = 0, code } = diagnostic;
    if (file === undefined) return [];
    const text = compiler.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
    if (isCell(file)) {
      const message = `${wordsOf(code, text, directory)} (TS${code})`;
      return [createCellFault(cell, start, start + length, message)];
    }
    const name = relative(directory, file.fileName);
    // Files above the folder are someone else's work.
    if (name.startsWith("..")) return [];
    const { line, character } = compiler.getLineAndCharacterOfPosition(file, start);
    const message = `${wordsOf(code, text, dirname(file.fileName))} (TS${code})`;
    // The text of a local file is not the cell's: its place is named in words.
    const place = `${name}:${line + 1}:${character + 1}`;
    return [{ ...createCellFault(cell, 0, 0, ""), message: `${place} ${message}` }];
  });
  const [first, ...rest] = faults;
  return first === undefined || hint === undefined ? faults : [{ ...first, hint }, ...rest];
}

const MISSING_MODULE = 2307;

function wordsOf(code: number, text: string, directory: string): string {
  const name = code === MISSING_MODULE ? /'([^']+)'/.exec(text)?.[1] : undefined;
  return name === undefined ? text : explainMissing(name, directory);
}

/** A fault of a cell. The compiler's offsets may lie after the end of the text. */
export function createCellFault(
  text: SourceText,
  from: number,
  to: number,
  message: string,
): Fault {
  const { length } = text.source;
  const start = Math.max(0, Math.min(from, length));
  const end = Math.max(start, Math.min(to, length));
  return createFault(text, { start, end }, message);
}
