import { parseText } from "../../../lib/request/mod.ts";
import { kindOfCell, type Session } from "../../session/mod.ts";
import type { DocumentCell } from "../document/mod.ts";

const SILENT = { stream: () => undefined, display: () => undefined };

/**
 * Sets the variables of a cell that is not selected, which selected requests may use. A line whose value needs a
 * response that is missing is skipped: what uses the variable reports it.
 */
export async function setVariables(
  cell: DocumentCell,
  session: Session,
  file: string,
): Promise<void> {
  const isRequestFile = cell.line !== undefined;
  for (const line of variableLines(cell)) {
    await session.execute(line, SILENT, { isRequestFile, ...(isRequestFile && { file }) });
  }
}

function variableLines({ source, line }: DocumentCell): readonly string[] {
  try {
    const cell = kindOfCell(source, line !== undefined);
    if (cell.kind !== "request") return [];
    const { statements } = parseText(cell.text);
    return statements.flatMap((entry) => {
      if (entry.kind !== "assignment") return [];
      return [cell.text.slice(entry.span.start, entry.span.end)];
    });
  } catch {
    return []; // A cell with a syntax error would not set them either.
  }
}
