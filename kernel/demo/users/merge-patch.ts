import { isJsonObject, Problem } from "../http/mod.ts";

/** Deeper than any user is, and shallow enough for any stack. */
const DEEPEST = 32;

/**
 * Applies a JSON merge patch (RFC 7396): members of objects are merged, `null` removes a member,
 * anything else replaces what was there. Throws a 422 problem where the patch is nested too deep.
 */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isJsonObject(patch)) return patch;
  if (depth > DEEPEST) throw new Problem(422, `The patch is nested deeper than ${DEEPEST} levels`);
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value, depth + 1));
  }
  // Unlike assignment, this cannot reach a prototype through a member named `__proto__`.
  return Object.fromEntries(merged);
}
