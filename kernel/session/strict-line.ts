import type { Cell, OutputSink } from "./cell/mod.ts";
import type { Settings } from "./client/mod.ts";

const VALUES: Readonly<Record<string, boolean>> = { on: true, off: false };

/**
 * Does what a line `%strict` of a cell says.
 *
 * @throws {SyntaxError} It says neither `on` nor `off`.
 */
export function applyStrict(
  { value }: NonNullable<Cell["strict"]>,
  settings: Settings,
  sink: Pick<OutputSink, "stream">,
): void {
  if (value === undefined) {
    const effect = settings.isStrict ? "type errors stop a cell" : "type errors are warnings";
    sink.stream("stdout", `%strict is ${settings.isStrict ? "on" : "off"}: ${effect}\n`);
    return;
  }
  const isStrict = Object.hasOwn(VALUES, value) ? VALUES[value] : undefined;
  if (isStrict === undefined) {
    throw new SyntaxError(`Cannot set "%strict ${value}": write "%strict on" or "%strict off"`);
  }
  settings.isStrict = isStrict;
}
