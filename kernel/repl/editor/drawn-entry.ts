import type { Drawing } from "./lay-out.ts";
import type { Terminal } from "./terminal.ts";

/** The entry on the terminal, which is redrawn in place. */
export interface DrawnEntry {
  /** Replaces the drawing, or draws at the cursor. */
  draw(drawing: Drawing): void;
  /** Draws a last time, adds a suffix and moves to the line below. The drawing may be taller than the screen. */
  leave(drawing: Drawing, suffix: string): void;
  /**
   * Writes whole lines in place of the entry.
   *
   * @returns Whether the entry was drawn, and has to be drawn again.
   */
  printAbove(text: string): boolean;
  /** Makes the next drawing begin at the cursor, after other output. */
  forget(): void;
  isDrawn(): boolean;
}

/** Creates an entry that is not drawn yet. */
export function createDrawnEntry(terminal: Pick<Terminal, "write" | "columns">): DrawnEntry {
  let drawn: Drawing | undefined;
  let drawnColumns = 0;

  /** The drawing as it is on the terminal, whose width may have changed. */
  function current(): Drawing | undefined {
    const columns = terminal.columns();
    return drawn === undefined || columns === drawnColumns ? drawn : reflow(drawn, columns);
  }

  /** The text that replaces the drawing on the terminal with another one. */
  function replacing({ rows, cursorRow, cursorColumn }: Drawing): string {
    const old = current();
    const start = old === undefined ? toStart(old) : `\r${up(old.cursorRow)}`;
    const last = rows.length - 1;
    const written = rows.map((row, index) => (index > 0 && index === last ? BELOW : LINE) + row);
    const isLower = last === 0 && old !== undefined && heightOf(old, terminal.columns()) > 1;
    const rest = isLower ? `\r\n${BELOW}${up(1)}` : "";
    return `${start}${written.join("\r\n")}${rest}\r${up(last - cursorRow)}${right(cursorColumn)}`;
  }

  return {
    draw: (drawing) => {
      terminal.write(replacing(drawing));
      drawn = drawing;
      drawnColumns = terminal.columns();
    },
    leave: (drawing, suffix) => {
      terminal.write(`${replacing(drawing)}${suffix}\r\n`);
      drawn = undefined;
    },
    printAbove: (text) => {
      const wasDrawn = drawn !== undefined;
      const piece = wasDrawn
        ? toStart(current()) + text.replace(/\r?\n/g, "\r\n")
        : `\r\u001b[K${text}`;
      terminal.write(piece);
      drawn = undefined;
      return wasDrawn;
    },
    forget: () => {
      drawn = undefined;
    },
    isDrawn: () => drawn !== undefined,
  };
}

/** Moves to the start of a drawing and erases everything from there. */
function toStart(drawing: Drawing | undefined): string {
  if (drawing === undefined) return "\r\u001b[J";
  return `\r${up(drawing.cursorRow)}\u001b[J`;
}

/**
 * Erase the rest of the line, and everything below. The whole screen is never erased from its first row: tmux would
 * copy it to its history with each key.
 */
const LINE = "\u001b[K";
const BELOW = "\u001b[J";

const up = (count: number): string => (count > 0 ? `\u001b[${count}A` : "");
const right = (count: number): string => (count > 0 ? `\u001b[${count}C` : "");

/** A drawing after the terminal has changed its width and wrapped long rows again. */
function reflow(drawing: Drawing, columns: number): Drawing {
  const above = heightOf({ widths: drawing.widths.slice(0, drawing.cursorRow) }, columns);
  return { ...drawing, cursorRow: above + Math.floor(drawing.cursorColumn / columns) };
}

/** The number of rows on a terminal. */
function heightOf({ widths }: Pick<Drawing, "widths">, columns: number): number {
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
}
