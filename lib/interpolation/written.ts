/**
 * What was written of an object and JavaScript does not keep: it lists names such as `3` before all others, in
 * ascending order. What reads JSON notes it beside the object; what shows, copies and writes an object asks here.
 */

/** The names of objects in the order in which they were written, where JavaScript has another one. */
const NAMES = new WeakMap<object, readonly string[]>();

/** A name that JavaScript lists before others: that of an item of a list. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** Whether JavaScript may list a name before those that were written before it. */
export function isIndexName(name: string): boolean {
  return INDEX.test(name);
}

/** The names of the members of an object, in the order in which they were written. */
export function namesOf(object: object): readonly string[] {
  const names = Object.keys(object);
  const noted = NAMES.get(object);
  if (noted === undefined) return names;
  // Members may have been deleted and added since.
  const left = new Set(names);
  return [...noted.filter((name) => left.delete(name)), ...left];
}

/** The members of an object, in the order in which they were written. */
export function writtenEntries<T>(object: {
  readonly [name: string]: T;
}): [name: string, value: T][] {
  return namesOf(object).map((name) => [name, object[name] as T]);
}

/** Notes the order in which the names of an object were written, where JavaScript has another one. */
export function noteNames(object: object, written: Iterable<string>): void {
  const names = Object.keys(object);
  if (!isIndexName(names[0] ?? "")) return;
  const noted = [...new Set(written)];
  if (noted.some((name, at) => name !== names[at])) NAMES.set(object, noted);
}

/** Whether the names of an object were written in another order than JavaScript lists them in. */
export function isReordered(object: object): boolean {
  return NAMES.has(object);
}

/** Creates an object that keeps the order of its entries; `__proto__` is a name like any other. */
export function objectOf<T>(entries: readonly (readonly [name: string, value: T])[]): {
  [name: string]: T;
} {
  const object = Object.fromEntries(entries);
  noteNames(
    object,
    entries.map(([name]) => name),
  );
  return object;
}
