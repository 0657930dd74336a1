import { graphemes, graphemeWidth } from "../../lib/display/mod.ts";

/** A terminal's screen, as far as programs that draw lines need one. */
export interface Screen {
  write(data: string): void;
  /** Rows are broken anew, as terminals do that reflow. */
  resize(columns: number): void;
  /** Everything from the first line on, those that have left the screen included. */
  text(): string;
  /** All that was written, as it came. */
  raw(): string;
  readonly cursor: { readonly row: number; readonly column: number };
  /** Whether pastes are to be marked. */
  readonly marksPastes: boolean;
}

const ESCAPE = "\u001b";
const TOKEN = new RegExp(
  `${ESCAPE}\\[([?\\d;]*)([A-Za-z])|${ESCAPE}\\][^\\u0007]*\\u0007|[\\r\\n\\u0008]|[^${ESCAPE}\\r\\n\\u0008]+`,
  "g",
);

const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[[?\\d;]*)?$`);

/** Creates a screen. The cells of a row are graphemes; a wide one is followed by an empty cell. */
export function createScreen(width: number, height: number): Screen {
  let columns = width;
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  let top = 0;
  let rest = "";
  let marksPastes = false;
  let written = "";

  const at = (index: number): string[] => {
    while (rows.length <= index) rows.push([]);
    return rows[index] as string[];
  };
  const down = (): void => {
    row += 1;
    at(row);
    top = Math.max(top, row - height + 1);
  };

  function put(segment: string): void {
    const cells = graphemeWidth(segment);
    if (cells === 0) return;
    if (column + cells > columns) {
      column = 0;
      down();
    }
    const line = at(row);
    while (line.length < column) line.push(" ");
    line[column] = segment;
    if (cells === 2) line[column + 1] = "";
    column += cells;
  }

  const CONTROLS: Readonly<Record<string, (parameters: string) => void>> = {
    A: (parameters) => {
      row = Math.max(top, row - (Number(parameters) || 1));
    },
    B: (parameters) => {
      row = Math.min(top + height - 1, row + (Number(parameters) || 1));
    },
    C: (parameters) => {
      column = Math.min(columns - 1, column + (Number(parameters) || 1));
    },
    H: () => {
      row = top;
      column = 0;
    },
    K: () => void at(row).splice(column),
    J: (parameters) => {
      if (parameters === "2") rows.length = top;
      else {
        at(row).splice(column);
        rows.length = row + 1;
      }
      at(row);
    },
    h: (parameters) => {
      if (parameters === "?2004") marksPastes = true;
    },
    l: (parameters) => {
      if (parameters === "?2004") marksPastes = false;
    },
  };

  return {
    write: (data) => {
      written += data;
      const text = rest + data;
      // A sequence may come in two pieces.
      const open = UNFINISHED.exec(text);
      rest = open === null ? "" : open[0];
      const whole = open === null ? text : text.slice(0, open.index);
      for (const [token, parameters = "", control = ""] of whole.matchAll(TOKEN)) {
        if (token === "\r") column = 0;
        else if (token === "\n") down();
        else if (token === "\u0008") column = Math.max(0, column - 1);
        else if (token.startsWith(ESCAPE)) CONTROLS[control]?.(parameters);
        else for (const { segment } of graphemes(token)) put(segment);
      }
    },
    resize: (to) => {
      const old = rows.splice(0);
      let newRow = 0;
      let newColumn = 0;
      old.forEach((line, index) => {
        if (index === row) {
          newRow = rows.length + Math.floor(column / to);
          newColumn = column % to;
        }
        const pieces = Math.max(1, Math.ceil(line.length / to));
        for (let piece = 0; piece < pieces; piece++) {
          rows.push(line.slice(piece * to, (piece + 1) * to));
        }
      });
      columns = to;
      row = newRow;
      column = newColumn;
      at(row);
      top = Math.max(0, rows.length - height);
    },
    text: () =>
      rows
        .map((line) => line.join("").trimEnd())
        .join("\n")
        .trimEnd(),
    raw: () => written,
    get cursor() {
      return { row, column };
    },
    get marksPastes() {
      return marksPastes;
    },
  };
}
