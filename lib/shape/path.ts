import { stepText } from "../interpolation/mod.ts";

/** The step to every item of an array, or to every member of a map. */
export const EVERY: unique symbol = Symbol("*");

/** A path into JSON from its root. */
export type Path = readonly (string | number | typeof EVERY)[];

/** A path as JSONPath (RFC 9535): `$.items[*].id`. */
export function pathText(path: Path): string {
  return `$${path.map((step) => (step === EVERY ? "[*]" : stepText(step))).join("")}`;
}
