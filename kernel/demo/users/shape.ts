import { isJsonObject } from "../http/mod.ts";

/** One fault of a value, at a JSON pointer in fragment form (RFC 6901). */
interface ShapeFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Returns the faults of the value at a pointer. */
export type Check = (value: unknown, pointer: string) => readonly ShapeFault[];

/** An object with these members; those in `optional` may be missing. */
export function object(
  members: Readonly<Record<string, Check>>,
  optional: readonly string[] = [],
): Check {
  return (value, pointer) => {
    if (!isJsonObject(value)) return [{ pointer, detail: "has to be an object" }];
    const given = new Map<string, unknown>(Object.entries(value));
    const unknown = [...given.keys()]
      .filter((key) => !Object.hasOwn(members, key))
      .map((key) => ({
        pointer: at(pointer, key),
        detail: `is not known: the members are ${Object.keys(members).join(", ")}`,
      }));
    const known = Object.entries(members).flatMap(([key, check]) => {
      if (given.has(key)) return check(given.get(key), at(pointer, key));
      return optional.includes(key) ? [] : [{ pointer: at(pointer, key), detail: "is missing" }];
    });
    return [...known, ...unknown];
  };
}

/** A list of at most `max` elements. */
export function list(element: Check, max: number): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return [{ pointer, detail: "has to be an array" }];
    if (value.length > max) return [{ pointer, detail: `has to have at most ${max} elements` }];
    return value.flatMap((item, index) => element(item, at(pointer, String(index))));
  };
}

/** `null`, or a value that passes another check. */
export function orNull(check: Check): Check {
  return (value, pointer) => (value === null ? [] : check(value, pointer));
}

/** A value that passes a test; `detail` completes a sentence that begins with the member's name. */
export function satisfies(test: (value: unknown) => boolean, detail: string): Check {
  return (value, pointer) => (test(value) ? [] : [{ pointer, detail }]);
}

function at(pointer: string, key: string): string {
  // encodeURIComponent throws at a lone surrogate.
  const token = key
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .replace(/~/g, "~0")
    .replace(/\//g, "~1");
  return `${pointer}/${encodeURIComponent(token)}`;
}
