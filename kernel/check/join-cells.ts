import { kindOfCell } from "../session/mod.ts";

/** One cell of a file. */
export interface SourceCell {
  readonly text: string;
  /** The line of the file on which it begins, from 1, where the file is plain text. */
  readonly line?: number;
}

/** The requests of a file as one text, so that each knows those before it. */
export interface JoinedCells {
  readonly text: string;
  /** Names that TypeScript cells set, as far as they are written out. */
  readonly setNames: readonly string[];
  /** The environment that the first line `%env NAME` chooses. */
  readonly environment: string | undefined;
  /** Where a line of the text stands: in a line of the file, or of one of its cells. */
  locate(line: number): { readonly cell?: number; readonly line: number };
}

const SET_VARIABLE = /\bsetVar\(\s*(["'`])([^"'`$]+)\1/g;

/** Joins the request cells of a file. */
export function joinCells(cells: readonly SourceCell[]): JoinedCells {
  const lines: string[] = [];
  const starts: { readonly line: number; readonly cell: number }[] = [];
  const setNames: string[] = [];
  let environment: string | undefined;
  for (const [index, cell] of cells.entries()) {
    const read = readCell(cell.text);
    environment ??= read.environment;
    if (!read.isRequest) {
      for (const [, , name = ""] of cell.text.matchAll(SET_VARIABLE)) setNames.push(name);
      continue;
    }
    if (cell.line === undefined) {
      // What a cell says of its last request is said of none in the next cell.
      if (lines.length > 0) lines.push("###");
      starts.push({ line: lines.length + 1, cell: index + 1 });
    } else {
      while (lines.length < cell.line - 1) lines.push("");
    }
    for (const line of read.text.split(/\r\n?|\n/)) lines.push(line);
  }
  return {
    text: lines.join("\n"),
    setNames,
    environment,
    locate: (line) => {
      const start = starts.findLast((one) => one.line <= line);
      return start === undefined ? { line } : { cell: start.cell, line: line - start.line + 1 };
    },
  };
}

interface CellReading {
  readonly isRequest: boolean;
  readonly text: string;
  readonly environment: string | undefined;
}

function readCell(code: string): CellReading {
  try {
    const { kind, text, environment } = kindOfCell(code);
    const blanked = text.replace(/^\uFEFF?\s*%%http(?!\S)/, (mark) => mark.replace(/[^\s]/g, " "));
    return { isRequest: kind === "request", text: blanked, environment: environment?.name };
  } catch {
    // A line `%%…` that no kernel knows: it is told where the cell is run, and holds no request.
    return { isRequest: false, text: code, environment: undefined };
  }
}
