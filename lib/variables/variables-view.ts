import {
  type DisplayData,
  denoInspect,
  jupyterDisplay,
  nodeInspect,
  type Show,
} from "../exchange/mod.ts";
import type { Value } from "../interpolation/mod.ts";

/** The variables that a view shows. */
interface ViewedVariables {
  /** The names of those that have a value. */
  names(): Iterable<string>;
  /** Returns a copy of a variable. */
  get(name: string): Value | undefined;
  /** Returns what a display shows of a variable, and the name that it shows. */
  shown(name: string): readonly [name: string, value: unknown];
  /** Displays them all. */
  readonly show: Show;
}

/** Creates a live, read-only view of variables that can be displayed. */
export function createView({
  names,
  get,
  shown,
  show,
}: ViewedVariables): ReadonlyMap<string, Value> {
  function* keys(): MapIterator<string> {
    yield* names();
    return undefined;
  }
  function* entries(): MapIterator<[string, Value]> {
    for (const name of names()) yield [name, get(name) as Value];
    return undefined;
  }
  function* values(): MapIterator<Value> {
    for (const [, value] of entries()) yield value;
    return undefined;
  }
  const display = (): DisplayData => show(Object.fromEntries(Array.from(names(), shown)));
  const text = (): string => display()["text/plain"];
  const view: ReadonlyMap<string, Value> = {
    get size() {
      return [...names()].length;
    },
    has: (name) => get(name) !== undefined,
    get,
    keys,
    values,
    entries,
    forEach(callback, thisArgument) {
      for (const [name, value] of entries()) callback.call(thisArgument, value, name, view);
    },
    [Symbol.iterator]: entries,
    ...{ [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text },
  };
  return Object.freeze(view);
}
