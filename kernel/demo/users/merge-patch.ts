import { isJsonObject, Problem } from "../http/mod.ts";

/** Deeper than any user; the recursion must not overflow the stack. */
const MAX_DEPTH = 32;

/**
 * Applies a JSON merge patch (RFC 7396): members of objects are merged, `null` removes a
 * member, any other value replaces the old one. Throws a 422 problem where the patch is too deep.
 */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isJsonObject(patch)) return patch;
  if (depth > MAX_DEPTH)
    throw new Problem(422, `The patch is nested deeper than ${MAX_DEPTH} levels`);
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value, depth + 1));
  }
  // Assigning a member named `__proto__` would change the prototype.
  return Object.fromEntries(merged);
}
