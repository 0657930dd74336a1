import { HIDDEN, maskRanges, type SecretRange } from "../names/mod.ts";
import { HARMLESS, type PartialMatch } from "./partial-match.ts";

/** Masks whole texts, and finds what the next piece may continue. */
export interface StreamSearch {
  mask(text: string): string;
  locate(text: string): readonly SecretRange[];
  partialMatch(text: string): PartialMatch;
}

/** Masks a text that arrives in pieces, wherever they are cut. */
export interface StreamMasker {
  /** Takes a piece, and returns what can be shown of the text so far. */
  write(piece: string): string;
  /**
   * Returns what was held back as the possible beginning of a URL or the first few characters of a
   * secret, since a person waits for it. Longer beginnings of secrets are kept back.
   */
  release(): string;
  /** Returns everything held back; most of a secret is masked. */
  end(): string;
  /** Whether something is held back. */
  readonly isHolding: boolean;
}

/**
 * Creates a masker of a stream. A character is held back only while it may belong to a secret that
 * has begun.
 */
export function createStreamMasker(search: StreamSearch): StreamMasker {
  let held = "";

  function write(piece: string): string {
    const text = held + piece;
    let from = search.partialMatch(text).from;
    // A secret that overlaps the held part is held, too: the next piece may make it longer.
    const ranges = search.locate(text);
    for (const range of ranges.toReversed()) {
      if (range.end > from && range.start < from) from = range.start;
    }
    // Surrogate pairs stay together.
    if (/[\ud800-\udbff]$/.test(text.slice(0, from))) from -= 1;
    held = text.slice(from);
    return maskRanges(
      text.slice(0, from),
      ranges.filter(({ end }) => end <= from),
    );
  }

  return {
    write,
    release: () => {
      if (held === "") return "";
      if (search.partialMatch(held).depth > HARMLESS) return "";
      const text = held;
      held = "";
      return search.mask(text);
    },
    end: () => {
      const text = held;
      held = "";
      if (text === "") return "";
      const { from, depth, missing } = search.partialMatch(text);
      // A whole secret that might have continued is masked as such.
      const isWhole = search.locate(text).some((one) => one.start <= from && one.end > from);
      const isMost = !isWhole && depth > Math.max(HARMLESS, missing);
      return isMost ? search.mask(text.slice(0, from)) + HIDDEN : search.mask(text);
    },
    get isHolding() {
      return held !== "";
    },
  };
}
