/**
 * What restlab, its libraries and the runtime call while cells run in the same realm. Left out is what programs replace
 * to change a format or the time: `Date`, `Error`, `Number`, `console`, timers and `fetch`.
 */
const OWNERS: Readonly<Record<string, object>> = {
  globalThis,
  Object,
  Array,
  Promise,
  Reflect,
  JSON,
  Symbol,
  String,
  "Array.prototype": Array.prototype,
  "Function.prototype": Function.prototype,
  "Map.prototype": Map.prototype,
  "Promise.prototype": Promise.prototype,
  "RegExp.prototype": RegExp.prototype,
  "Set.prototype": Set.prototype,
  "String.prototype": String.prototype,
  "WeakMap.prototype": WeakMap.prototype,
  "%ArrayIteratorPrototype%": Object.getPrototypeOf([][Symbol.iterator]()),
  "%MapIteratorPrototype%": Object.getPrototypeOf(new Map()[Symbol.iterator]()),
};
const GLOBALS = new Set(Object.keys(OWNERS).concat("Map", "Set", "WeakMap", "WeakSet", "RegExp"));

interface BuiltIn {
  readonly owner: object;
  readonly key: PropertyKey;
  readonly value: unknown;
  readonly name: string;
}

const readBuiltIns = (): readonly BuiltIn[] =>
  Object.entries(OWNERS).flatMap(([name, owner]) =>
    Reflect.ownKeys(owner)
      .filter((key) => owner !== globalThis || GLOBALS.has(String(key)))
      .flatMap((key) => {
        const { value } = Object.getOwnPropertyDescriptor(owner, key) ?? {};
        const isCalled = typeof value === "function" || owner === globalThis;
        const called = owner === globalThis ? String(key) : `${name}.${String(key)}`;
        return isCalled ? [{ owner, key, value, name: called }] : [];
      }),
  );
let kept = readBuiltIns();
const { get, defineProperty } = Reflect;

/** Keeps the built-in functions as they are before the first cell, also those that a program has replaced by then. */
export function keepBuiltIns(): void {
  kept = readBuiltIns();
}

/**
 * Puts back the built-in functions that the code of a cell has replaced, without calling any of them.
 *
 * @returns The names of those that were replaced, one after the other; empty if none was.
 */
export function restoreBuiltIns(): string {
  let names = "";
  for (let index = 0, count = kept.length; index < count; index++) {
    const { owner, key, value, name } = kept[index] as BuiltIn;
    if (isThere(owner, key, value)) continue;
    // One that the cell has made non-configurable stays replaced.
    defineProperty(owner, key, { value, writable: true, enumerable: false, configurable: true });
    names += names === "" ? name : `, ${name}`;
  }
  return names;
}

function isThere(owner: object, key: PropertyKey, value: unknown): boolean {
  try {
    return get(owner, key) === value;
  } catch {
    return false; // A getter has taken its place, and throws.
  }
}
