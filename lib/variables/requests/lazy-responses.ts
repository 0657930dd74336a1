import { jsonPathRoot, type Value } from "../../interpolation/mod.ts";

/**
 * Creates an object whose values are computed when a path reads them. Placeholders, which read own
 * properties, see an ordinary object.
 *
 * @param keys The keys to list; there may be others.
 * @param read Returns a value, or `undefined` when there is none.
 * @param root The value that a JSONPath on the object applies to; the object itself by default.
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
        // The invariants of a proxy require a property that its target lacks to be configurable.
        return { value, enumerable: true, configurable: true, writable: false };
      },
    },
  );
}
