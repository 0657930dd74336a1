import type { Frame } from "../cell/mod.ts";
import {
  type Compiler,
  createPositionMap,
  type GuardedCode,
  type PositionMap,
} from "../compiler/mod.ts";

/** Maps positions in scripts to the cells that they were compiled from. */
export interface CellPositions {
  /**
   * Adds a script.
   *
   * @param id Its number, from which {@link scriptName} makes its file name.
   */
  remember(id: number, script: RanScript): void;
  /** The place in the cell; `undefined` for a line that the user did not write. */
  locate(id: number, position: Pick<Frame, "line" | "column">): Frame | undefined;
}

/** A script, and how it was made from a cell. */
export interface RanScript {
  /** What a trace calls the cell. */
  readonly name: string;
  /** How many characters stand before the cell's code in its first line. */
  readonly prefix: number;
  /** The line of its file where it begins; 1 by default. */
  readonly firstLine?: number | undefined;
  /** The source maps of the compiler, the last translation first. */
  readonly maps: readonly string[];
  readonly unguard: GuardedCode["unguard"];
}

interface CellMaps extends Omit<RanScript, "maps"> {
  readonly maps: readonly PositionMap[];
}

const KEPT_MAPS = 1000;
const FRAME_FILE = /^restlab-cell-(\d+)$/;

/** The file name of a script, by which a trace and whatever ends loops know a cell. */
export function scriptName(id: number): string {
  return `restlab-cell-${id}`;
}

/** The number in such a file name. */
export function scriptNumber(file: string): number | undefined {
  const [, id] = FRAME_FILE.exec(file) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Creates an empty table of positions; it forgets the oldest scripts. */
export function createCellPositions(compiler: Compiler): CellPositions {
  const cells = new Map<number, CellMaps>();
  return {
    remember: (id, { maps, ...script }) => {
      cells.set(id, { ...script, maps: maps.map((map) => createPositionMap(compiler, map)) });
      cells.delete(id - KEPT_MAPS);
    },
    locate: (id, { line, column }) => {
      const cell = cells.get(id);
      if (cell === undefined) return undefined;
      const shown = cell.unguard({ line, column: line === 1 ? column - cell.prefix : column });
      const written = cell.maps.reduce<typeof shown | undefined>((at, map) => at && map(at), shown);
      const { name: file, firstLine = 1 } = cell;
      return written && { file, ...written, line: written.line + firstLine - 1 };
    },
  };
}
