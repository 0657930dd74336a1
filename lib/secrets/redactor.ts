import { insideOf, isCount, type SecretState } from "./find/mod.ts";
import { HIDDEN, isPlaceholder, type NameRule } from "./names/mod.ts";

/** Masks the parts of data. It follows the path to each part, since names say what is secret. */
export interface Redactor {
  /** Masks the key of a member. */
  key(text: string): string;
  /** Masks a text; below a secret name also one that is too common to be searched for. */
  text(text: string): string;
  /** Masks the digits of a number; directly below a secret name any number. */
  number(digits: string): string;
  /** The redactor of a member; items of a list have that of the list. */
  at(name: string): Redactor;
}

/**
 * Creates the redactor of a whole value.
 *
 * @param mask Masks a text by searching it.
 * @param isSecretName Which names are those of secrets; without it, nothing is hidden by its place.
 */
export function createRedactor(
  mask: (text: string) => string,
  isSecretName: NameRule = () => false,
): Redactor {
  const inside = (state: SecretState, isOwn: boolean, isCounted: boolean): Redactor => ({
    key: mask,
    text: (text) => {
      const isHidden = state === "named" && !(isCounted && DIGITS.test(text));
      return isHidden ? hideInPlace(mask(text)) : mask(text);
    },
    number: (digits) => (isOwn ? hideInPlace(mask(digits)) : mask(digits)),
    at: (name) => {
      const next = insideOf(state, name, isSecretName);
      if (next === "open") return open;
      return inside(next, isSecretName(name) && !isCount(name), isCount(name));
    },
  });
  const open = inside("open", false, false);
  return open;
}

/** A count as CSV has it: `total_tokens` of 150. */
const DIGITS = /^[\d.,]+$/;

/** What is shown of a text that is secret because of its place: only the placeholders that it consists of. */
function hideInPlace(masked: string): string {
  return masked.trim() === "" || isPlaceholder(masked) ? masked : HIDDEN;
}

/** Masks nothing: for texts that nobody sees. */
export const UNREDACTED: Redactor = createRedactor((text) => text);
