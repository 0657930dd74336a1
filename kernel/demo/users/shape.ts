import { isJsonObject } from "../http/mod.ts";

/** One thing that is wrong with a value, at a JSON pointer in fragment form (RFC 6901). */
export interface ShapeFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Says what is wrong with a value that stands at a pointer; an empty list where nothing is. */
export type Check = (value: unknown, pointer: string) => readonly ShapeFault[];

/** The members of an object; those in `optional` may be missing. */
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
        detail: `is not known: there are ${Object.keys(members).join(", ")}`,
      }));
    const known = Object.entries(members).flatMap(([key, check]) => {
      if (given.has(key)) return check(given.get(key), at(pointer, key));
      return optional.includes(key) ? [] : [{ pointer: at(pointer, key), detail: "is missing" }];
    });
    return [...known, ...unknown];
  };
}

/** A list with at most `most` elements. */
export function list(element: Check, most: number): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return [{ pointer, detail: "has to be an array" }];
    if (value.length > most) return [{ pointer, detail: `has to have at most ${most} elements` }];
    return value.flatMap((item, index) => element(item, at(pointer, String(index))));
  };
}

/** `null`, or what another check takes. */
export function orNull(check: Check): Check {
  return (value, pointer) => (value === null ? [] : check(value, pointer));
}

/** A value for which a test holds; `detail` completes the sentence that begins with its name. */
export function satisfies(test: (value: unknown) => boolean, detail: string): Check {
  return (value, pointer) => (test(value) ? [] : [{ pointer, detail }]);
}

function at(pointer: string, key: string): string {
  // Half of a surrogate pair cannot be percent-encoded.
  const token = key
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .replace(/~/g, "~0")
    .replace(/\//g, "~1");
  return `${pointer}/${encodeURIComponent(token)}`;
}
