import { isNumberText } from "../interpolation/mod.ts";
import { type Path, parsePathPattern } from "../shape/mod.ts";

/** The places that one of the JSONPaths selects, with everything within them; invalid ones select nothing. */
export function ignoredPaths(patterns: readonly string[]): (path: Path) => boolean {
  const ignored = patterns.flatMap((pattern) => {
    try {
      return [parsePathPattern(pattern)];
    } catch {
      return [];
    }
  });
  return (path) => ignored.some((selects) => selects(path));
}

/** Nothing deeper is compared. */
const DEEPEST = 500;

/**
 * A body as JSON that can be stored, without the members and items that the JSONPaths select. Numbers that a double
 * cannot represent become strings, so that they keep their digits.
 */
export function toStoredBody(value: unknown, ignore: readonly string[]): unknown {
  const isIgnored = ignoredPaths(ignore);
  const copy = (inner: unknown, path: Path): unknown => {
    if (typeof inner === "bigint") return String(inner);
    if (typeof inner !== "object" || inner === null) return inner;
    if (isNumberText(inner)) return String(inner);
    if (path.length > DEEPEST) return null;
    if (Array.isArray(inner)) {
      // The others keep their places.
      return inner.map((item, at) => (isIgnored([...path, at]) ? null : copy(item, [...path, at])));
    }
    const entries = Object.entries(inner).filter(([name]) => !isIgnored([...path, name]));
    return Object.fromEntries(entries.map(([name, item]) => [name, copy(item, [...path, name])]));
  };
  return isIgnored([]) ? undefined : copy(value, []);
}
