import { type Found, mayNameSecret } from "./find.ts";
import { findInMembers } from "./find-members.ts";
import { findLeaves } from "./leaves.ts";
import type { NameRule } from "./names.ts";

/** A longer text is not parsed for this alone. */
const LONGEST_PARSED = 262_144;

/**
 * The secrets of a text that may be JSON: with the ways to them where it parses, else without.
 *
 * @param path How a placeholder names the text, if one does.
 */
export function findInJson(
  text: string,
  path: string | undefined,
  isSecretName: NameRule,
  found: Found,
): void {
  if (!mayNameSecret(text, isSecretName)) return;
  // Before the text is parsed, which may fail; told afterwards, since the way to a secret is worth more.
  const secrets: string[] = [];
  findInMembers(text, isSecretName, (secret) => secrets.push(secret));
  if (text.length <= LONGEST_PARSED) {
    try {
      const value: unknown = JSON.parse(text);
      findLeaves(value, { path, state: "open", isSecretName }, found);
    } catch {
      // What does not parse has no paths; its secrets were found as text.
    }
  }
  for (const secret of secrets) found(secret);
}
