import type { Masking } from "./combine.ts";
import { pairsInBody } from "./find/mod.ts";
import { HIDDEN, isPlaceholder, joinRanges, maskRanges, type SecretRange } from "./search/mod.ts";

/** Masks texts, and searches each of them once. */
export interface Masker {
  /**
   * Masks a text.
   *
   * @param most How many characters of it are shown at most; all unless told.
   */
  mask(text: string, most?: number): string;
  /** The same for the text of a body: values below secret names are masked in their place. */
  body(text: string, mediaType: string, most?: number): string;
  /** Searches many texts at once: a search for each of a thousand cells takes several times as long. */
  searchAll(texts: Iterable<string>): void;
}

interface Masked {
  readonly text: string;
  readonly most: number;
}

/** JSON in a string, in which values below secret names are masked in their place as well. */
const JSON_START = /^\s*[[{]\s*["[{]/;
/** Separates texts that are searched as one, so that nothing is found across them. */
const SEPARATOR = "\n\0\n";
const ALL = Number.POSITIVE_INFINITY;

/** Creates a masker that has searched nothing yet. */
export function createMasker(masking: Masking): Masker {
  const texts = new Map<string, Masked>();
  const bodies = new Map<string, Masked>();

  const once = (
    known: Map<string, Masked>,
    text: string,
    most: number,
    mask: (part: string) => string,
  ): string => {
    const before = known.get(text);
    if (before !== undefined && before.most >= most) return before.text;
    const masked = maskBeginning(text, most, mask);
    known.set(text, { text: masked, most });
    return masked;
  };

  return {
    mask: (text, most = ALL) => {
      const isJson = JSON_START.test(text);
      return once(texts, text, most, (part) =>
        isJson ? maskBody(part, "application/json", masking) : masking.mask(part),
      );
    },
    body: (text, mediaType, most = ALL) =>
      once(bodies, text, most, (part) => maskBody(part, mediaType, masking)),
    searchAll: (wanted) => {
      const fresh = [...new Set(wanted)].filter(
        (text) => !texts.has(text) && !JSON_START.test(text),
      );
      const masked = maskTexts(fresh, masking);
      for (const [at, text] of fresh.entries()) {
        texts.set(text, { text: masked[at] ?? text, most: ALL });
      }
    },
  };
}

/** Masks many texts by one search; the same list where none contains a secret. */
export function maskTexts(
  texts: readonly string[],
  { locate }: Pick<Masking, "locate">,
): readonly string[] {
  const joined = texts.join(SEPARATOR);
  const ranges = texts.length === 0 ? [] : locate(joined);
  if (ranges.length === 0) return texts;
  const masked = maskRanges(joined, ranges).split(SEPARATOR);
  const isAligned = masked.length === texts.length && !texts.some((one) => one.includes(SEPARATOR));
  return isAligned ? masked : texts.map((one) => maskRanges(one, locate(one)));
}

function maskBody(text: string, mediaType: string, masking: Masking): string {
  const placed: SecretRange[] = [];
  for (const { start, end, value } of pairsInBody(text, mediaType, masking.isSecretName)) {
    if (value.trim() !== "" && !isPlaceholder(value)) placed.push({ start, end, shown: HIDDEN });
  }
  return maskRanges(text, joinRanges([...masking.locate(text), ...placed]));
}

/** No form of a secret is longer. */
const LONGEST_FORM = 262_144;

/**
 * Masks the beginning of a text of megabytes, of which no more is shown: at least `most` characters,
 * and enough beyond them that no secret is cut at their end. The rest is appended as it is.
 */
export function maskBeginning(text: string, most: number, mask: (text: string) => string): string {
  // A text that is full of secrets becomes far shorter, so the beginning grows until it is long enough.
  for (let end = most + LONGEST_FORM * 2; end * 2 < text.length; end *= 2) {
    const begin = text.slice(0, end);
    const head = mask(begin);
    // A concatenation is copied as a whole as soon as it is cut, so the text itself is returned.
    if (head === begin) return text;
    if (head.length >= most + LONGEST_FORM) return head + text.slice(end);
  }
  return mask(text);
}
