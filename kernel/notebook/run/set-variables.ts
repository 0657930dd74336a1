import { locate } from "../../../lib/interpolation/mod.ts";
import { parseText } from "../../../lib/request/mod.ts";
import { kindOfCell, type Session } from "../../session/mod.ts";
import type { DocumentCell } from "../document/mod.ts";

const SILENT = { stream: () => undefined, display: () => undefined };

/**
 * Sets the variables of a cell that is not selected, which selected requests may use, and runs its scripts that belong
 * to no request. A line whose value needs a response that is missing is skipped: what uses the variable reports it.
 */
export async function setVariables(
  cell: DocumentCell,
  session: Session,
  file: string,
): Promise<void> {
  const isRequestFile = cell.line !== undefined;
  for (const { text, line } of variableLines(cell)) {
    const place = isRequestFile ? { file, firstLine: line } : {};
    await session.execute(text, SILENT, { isRequestFile, ...place });
  }
}

interface VariableLine {
  readonly text: string;
  /** Its number in the file. */
  readonly line: number;
}

function variableLines({ source, line }: DocumentCell): readonly VariableLine[] {
  try {
    const cell = kindOfCell(source, line !== undefined);
    if (cell.kind !== "request") return [];
    const parsed = parseText(cell.text, line);
    return parsed.statements.flatMap((entry) => {
      if (entry.kind !== "assignment" && entry.kind !== "script") return [];
      const { start, end } = entry.span;
      return [{ text: cell.text.slice(start, end), line: locate(parsed, start).line }];
    });
  } catch {
    return []; // A cell with a syntax error would not set them either.
  }
}
