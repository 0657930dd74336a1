import {
  combineSecrets,
  HIDDEN,
  type Hidden,
  type Masking,
  SHOW_SECRETS,
} from "../../secrets/mod.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

export { HIDDEN, type Hidden, SHOW_SECRETS };

/** How values are looked at: how much of them, and what no one may see. */
export interface Lens extends Masking {
  readonly limits: Limits;
  /**
   * Hides secrets in a text of which only the beginning is shown. It is asked before anything is cut:
   * half a secret is one, too.
   */
  readonly hide: Masking["mask"];
  /** Whether secrets are shown for once, those included that are known by their place alone. */
  readonly showsSecrets: boolean;
}

/**
 * A lens that hides texts, and all that clients know to be secret, in whatever form. What is cut is
 * masked here, where it is still whole; `maskBlocks` goes over all strings of the blocks in the end.
 */
export function createLens(limits: Limits = DEFAULT_LIMITS, secrets: readonly Hidden[] = []): Lens {
  const masking = combineSecrets(secrets);
  return {
    limits,
    hide: (text, write) => maskShown(text, limits, (part) => masking.mask(part, write)),
    mask: (text, write) => masking.mask(text, write),
    locate: (text) => masking.locate(text),
    showsSecrets: secrets.includes(SHOW_SECRETS),
  };
}

/** No form of a secret is longer. */
const LONGEST_FORM = 262_144;

/**
 * Of a text of megabytes only the beginning is ever shown, so only that is masked, with enough behind
 * it that no secret at the end of it comes into view.
 */
function maskShown(text: string, limits: Limits, mask: (text: string) => string): string {
  const most = Math.max(limits.text, limits.line, limits.json, limits.cell * 4);
  // A text that is full of secrets becomes far shorter, so more of it is taken until there is enough.
  for (let end = most + LONGEST_FORM * 2; end * 2 < text.length; end *= 2) {
    const begin = text.slice(0, end);
    const head = mask(begin);
    // What is put together of parts is copied as a whole as soon as it is cut.
    if (head === begin) return text;
    if (head.length >= most + LONGEST_FORM) return head + text.slice(end);
  }
  return mask(text);
}
