import type { Drawing } from "./lay-out.ts";
import type { Terminal } from "./terminal.ts";

/** An entry as it stands on the terminal, drawn anew in its own place. */
export interface DrawnEntry {
  /** Draws in the place of what was drawn before, or where the cursor is. */
  draw(drawing: Drawing): void;
  /** Draws a last time and goes to the line below; `mark` is put behind it. */
  leave(drawing: Drawing, mark: string): void;
  /**
   * Writes whole lines where the entry stands.
   *
   * @returns Whether the entry was there, and has to be drawn again.
   */
  above(text: string): boolean;
  /** Somebody else has written: what is drawn next is drawn where the cursor is. */
  forget(): void;
  isThere(): boolean;
}

/** Creates one that is not drawn yet. */
export function createDrawnEntry(terminal: Pick<Terminal, "write" | "columns">): DrawnEntry {
  let drawn: Drawing | undefined;
  let drawnColumns = 0;

  /** The drawing as the terminal shows it now: its width may have changed since. */
  function found(): Drawing | undefined {
    const columns = terminal.columns();
    return drawn === undefined || columns === drawnColumns ? drawn : reflowed(drawn, columns);
  }

  return {
    draw: (drawing) => {
      terminal.write(toStart(found()) + lines(drawing));
      drawn = drawing;
      drawnColumns = terminal.columns();
    },
    leave: (drawing, mark) => {
      terminal.write(`${toStart(found())}${lines(drawing)}${mark}\r\n`);
      drawn = undefined;
    },
    above: (text) => {
      const wasThere = drawn !== undefined;
      const piece = wasThere
        ? toStart(found()) + text.replace(/\r?\n/g, "\r\n")
        : `\r\u001b[K${text}`;
      terminal.write(piece);
      drawn = undefined;
      return wasThere;
    },
    forget: () => {
      drawn = undefined;
    },
    isThere: () => drawn !== undefined,
  };
}

/** To the first column of a drawing's first row, everything from there on erased. */
function toStart(drawing: Drawing | undefined): string {
  if (drawing === undefined) return "\r\u001b[J";
  return `\r${up(drawing.cursorRow)}\u001b[J`;
}

function lines({ rows, cursorRow, cursorColumn }: Drawing): string {
  return `${rows.join("\r\n")}\r${up(rows.length - 1 - cursorRow)}${right(cursorColumn)}`;
}

const up = (count: number): string => (count > 0 ? `\u001b[${count}A` : "");
const right = (count: number): string => (count > 0 ? `\u001b[${count}C` : "");

/** A drawing as a terminal shows it after its width has changed: long rows are broken anew. */
function reflowed(drawing: Drawing, columns: number): Drawing {
  const heightOf = (width: number): number => Math.max(1, Math.ceil(width / columns));
  const above = drawing.widths
    .slice(0, drawing.cursorRow)
    .reduce((sum, it) => sum + heightOf(it), 0);
  return { ...drawing, cursorRow: above + Math.floor(drawing.cursorColumn / columns) };
}
