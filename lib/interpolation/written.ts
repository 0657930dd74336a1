/**
 * What was written of an object or a list and JavaScript does not keep: it lists names such as `3` before all others, in
 * ascending order, and writes `1.10` as 1.1. What reads JSON notes it beside the object; what shows, copies and writes
 * an object asks here.
 */

/** The names of objects in the order in which they were written, where JavaScript has another one. */
const NAMES = new WeakMap<object, readonly string[]>();

/** The texts of numbers by their names, where JavaScript writes them otherwise. */
const NUMBERS = new WeakMap<object, Readonly<Record<string, string>>>();

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

/** Notes the texts of numbers in an object or a list by their names, where JavaScript writes them otherwise. */
export function noteNumbers(owner: object, texts: Readonly<Record<string, string>>): void {
  NUMBERS.set(owner, texts);
}

/** Notes the texts of numbers beside a copy whose members have the same names. */
export function copyNumbers<T extends object>(copy: T, original: object): T {
  const texts = NUMBERS.get(original);
  if (texts !== undefined) NUMBERS.set(copy, texts);
  return copy;
}

/** The noted text of a number in an object or a list, unless another number has replaced it. */
export function notedText(owner: object, key: string | number, value: unknown): string | undefined {
  const texts = typeof value === "number" ? NUMBERS.get(owner) : undefined;
  const text = texts !== undefined && Object.hasOwn(texts, key) ? texts[key] : undefined;
  return text !== undefined && Object.is(Number(text), value) ? text : undefined;
}

/** A member of an object or an item of a list, where a number keeps the text that was noted beside it. */
export function asWritten<T>(owner: object, key: string | number, value: T): T | NumberText {
  if (!NUMBERS.has(owner)) return value;
  const text = notedText(owner, key, value);
  return text === undefined ? value : createNumberText(text);
}

/** Whether something is noted beside an object or a list. */
export function isNoted(owner: object): boolean {
  return NAMES.has(owner) || NUMBERS.has(owner);
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

/**
 * A JSON number stored as text, because a double would change its digits. The package lossless-json
 * returns such numbers; `valueOf` gives the nearest number for arithmetic.
 */
export interface NumberText {
  /** Marks the object for lossless-json and for this library. */
  readonly isLosslessNumber: true;
  /** The digits. */
  toString(): string;
  /** The nearest number, or the exact bigint where it is a large integer. */
  valueOf(): number | bigint;
  /** The nearest double, for `JSON.stringify`; numbers of other libraries may lack it. */
  toJSON?(): number;
}

/** A number as JSON writes it (RFC 8259, section 6). */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Stores a JSON number whose digits a double would change, as text. `JSON.stringify` writes it as the
 * nearest double.
 *
 * @param text A number as JSON writes it.
 * @throws {TypeError} The text is not a JSON number.
 */
export function createNumberText(text: string): NumberText {
  if (!JSON_NUMBER.test(text)) {
    throw new TypeError(
      `Cannot store ${JSON.stringify(text)} as a number: it is not a JSON number`,
    );
  }
  const number: NumberText = {
    isLosslessNumber: true,
    toString: () => text,
    valueOf: () => (/^-?\d+$/.test(text) ? exactInteger(text) : Number(text)),
  };
  Object.defineProperty(number, "toString", { enumerable: false });
  Object.defineProperty(number, "valueOf", { enumerable: false });
  Object.defineProperty(number, "toJSON", { value: () => Number(text) });
  // A console shows the digits, as it does for a number.
  for (const inspect of ["nodejs.util.inspect.custom", "Deno.customInspect"]) {
    Object.defineProperty(number, Symbol.for(inspect), { value: () => text });
  }
  return Object.freeze(number);
}

function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
