import {
  type DisplayData,
  denoInspect,
  jupyterDisplay,
  nodeInspect,
  type Show,
} from "../exchange/mod.ts";
import type { Value } from "../interpolation/mod.ts";

/**
 * Creates a live, read-only view of variables that can be displayed.
 *
 * @param values The variables.
 * @param get Returns a copy of a variable.
 * @param getShown Returns what a display shows of a variable.
 * @param show Displays them all.
 */
export function createView(
  values: ReadonlyMap<string, Value>,
  get: (name: string) => Value | undefined,
  getShown: (name: string) => unknown,
  show: Show,
): ReadonlyMap<string, Value> {
  function* entries(): MapIterator<[string, Value]> {
    for (const name of values.keys()) yield [name, get(name) as Value];
    return undefined;
  }
  function* copies(): MapIterator<Value> {
    for (const [, value] of entries()) yield value;
    return undefined;
  }
  const display = (): DisplayData =>
    show(Object.fromEntries(Array.from(values.keys(), (name) => [name, getShown(name)])));
  const text = (): string => display()["text/plain"];
  const view: ReadonlyMap<string, Value> = {
    get size() {
      return values.size;
    },
    has: (name) => values.has(name),
    get,
    keys: () => values.keys(),
    values: copies,
    entries,
    forEach(callback, thisArgument) {
      for (const [name, value] of entries()) callback.call(thisArgument, value, name, view);
    },
    [Symbol.iterator]: entries,
    ...{ [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text },
  };
  return Object.freeze(view);
}
