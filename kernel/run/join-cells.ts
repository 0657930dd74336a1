import { type Cell, kindOfCell } from "../session/mod.ts";

export interface SourceCell {
  readonly text: string;
  /** The line on which it begins, from 1, in a file of requests, whose cells are never TypeScript. */
  readonly line?: number;
}

/** The requests of a file as one text, in which requests can refer to earlier ones. */
export interface JoinedCells {
  readonly text: string;
  /** Names of variables that TypeScript cells set by literal names, and those of `%demo` lines. */
  readonly setNames: readonly string[];
  /** The TypeScript cells, by their numbers. */
  readonly code: ReadonlyMap<number, string>;
  /** The cells of assertions about the last answer, by their numbers. */
  readonly assertions: ReadonlyMap<number, string>;
  /** The environment of the first `%env NAME` line. */
  readonly environment: string | undefined;
  /** Maps a line of the text to a line of the file or of one of its cells. */
  locate(line: number): { readonly cell?: number; readonly line: number };
}

const SET_VARIABLE = /\bsetVar\(\s*(["'`])([^"'`$]+)\1/g;

export function joinCells(cells: readonly SourceCell[]): JoinedCells {
  const lines: string[] = [];
  const starts: { readonly line: number; readonly cell: number }[] = [];
  const setNames: string[] = [];
  const code = new Map<number, string>();
  const assertions = new Map<number, string>();
  let environment: string | undefined;
  for (const [index, cell] of cells.entries()) {
    const read = readCell(cell);
    environment ??= read.environment;
    if (read.hasDemo) setNames.push("base");
    if (read.kind === "assertions") {
      assertions.set(index + 1, read.text);
      continue;
    }
    if (read.kind !== "request") {
      code.set(index + 1, read.text);
      for (const [, , name = ""] of cell.text.matchAll(SET_VARIABLE)) setNames.push(name);
      continue;
    }
    if (cell.line === undefined) {
      // The separator ends the last request of the cell before.
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
    code,
    assertions,
    environment,
    locate: (line) => {
      const start = starts.findLast((one) => one.line <= line);
      return start === undefined ? { line } : { cell: start.cell, line: line - start.line + 1 };
    },
  };
}

interface CellReading {
  readonly kind: Cell["kind"];
  readonly text: string;
  readonly environment: string | undefined;
  readonly hasDemo: boolean;
}

function readCell({ text: code, line }: SourceCell): CellReading {
  const { kind, text, environment, demo } = kindOfCell(code, line !== undefined);
  const blanked = text.replace(/^\uFEFF?\s*%%http(?!\S)/, (mark) => mark.replace(/[^\s]/g, " "));
  return {
    kind,
    text: blanked,
    environment: environment?.name,
    hasDemo: demo !== undefined,
  };
}
