import { jsonPathRoot, type Value } from "../interpolation/mod.ts";

/**
 * An object whose values are worked out when a path goes into them: for placeholders, which look at
 * own properties, it is an object like any other.
 *
 * @param keys Those that are listed; others may be there as well.
 * @param read Gives a value, or `undefined` where there is none.
 * @param root What a JSONPath on the object is meant for; the object itself where it is left out.
 */
export function createLazyObject(
  keys: () => readonly string[],
  read: (key: string) => Value | undefined,
  root?: () => Value,
): Value {
  const readKey = (key: string | symbol): Value | undefined =>
    typeof key === "string" ? read(key) : undefined;
  return new Proxy<{ readonly [key: string]: Value }>(
    {},
    {
      ownKeys: () => [...keys()],
      has: (_target, key) => readKey(key) !== undefined,
      get: (_target, key) => (key === jsonPathRoot ? root?.() : readKey(key)),
      set: () => false,
      getOwnPropertyDescriptor: (_target, key) => {
        const value = readKey(key);
        if (value === undefined) return undefined;
        // A property that its target does not have must be said to be configurable.
        return { value, enumerable: true, configurable: true, writable: false };
      },
    },
  );
}
