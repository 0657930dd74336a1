import type { DisplayData } from "./exchange.ts";
import type { ShownView } from "./views.ts";

/** Displays a value: an exchange, or the variables as an object. */
export type Show = (value: object) => DisplayData;

/** What the table of a value shows besides its rows. */
export interface RowsShape {
  /** The line above it. */
  readonly summary?: string;
  /** The columns that contain times or durations. */
  readonly times?: readonly string[];
}

/** Gives a value the display of a table, whose rows are created when it is displayed. */
export type ShowRows = <T extends object>(
  value: T,
  rows: () => readonly object[],
  shape: RowsShape,
) => T & ShownView;

/** The method that `console.log` of Node and Bun calls. */
export const nodeInspect: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The method that `console.log` of Deno calls. */
export const denoInspect: unique symbol = Symbol.for("Deno.customInspect");
