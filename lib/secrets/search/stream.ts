import { HIDDEN, maskRanges } from "./placeholders.ts";
import type { Search } from "./search.ts";

type StreamSearch = Pick<Search, "locate" | "partialMatch">;

/** This many characters of a secret may be shown when a text stops inside it. */
const HARMLESS = 3;

/**
 * Masks a text that arrives in pieces, wherever they are cut. A character is held back only while it
 * may belong to a secret that has begun.
 */
export class StreamMasker {
  readonly #search: StreamSearch;
  #held = "";

  /** Creates a masker that holds nothing back yet. */
  constructor(search: StreamSearch) {
    this.#search = search;
  }

  /** Whether something is held back. */
  get isHolding(): boolean {
    return this.#held !== "";
  }

  /** Takes a piece, and returns what can be shown of the text so far. */
  write(piece: string): string {
    const text = this.#held + piece;
    let { from } = this.#search.partialMatch(text);
    // A secret that overlaps the held part is held, too: the next piece may make it longer.
    const ranges = this.#search.locate(text);
    for (const range of ranges.toReversed()) {
      if (range.end > from && range.start < from) from = range.start;
    }
    // Surrogate pairs stay together.
    if (/[\ud800-\udbff]$/.test(text.slice(0, from))) from -= 1;
    this.#held = text.slice(from);
    const shown = ranges.filter(({ end }) => end <= from);
    return maskRanges(text.slice(0, from), shown);
  }

  /**
   * Returns what was held back as the first few characters of a secret, since a person waits for it.
   * Longer beginnings of secrets are kept back.
   */
  release(): string {
    return this.#search.partialMatch(this.#held).depth > HARMLESS ? "" : this.end();
  }

  /** Returns everything held back; the beginning of a secret is masked. */
  end(): string {
    const text = this.#held;
    this.#held = "";
    const { from, depth } = this.#search.partialMatch(text);
    const ranges = this.#search.locate(text);
    // A whole secret that might have continued is masked as such.
    const isWhole = ranges.some(({ start, end }) => start <= from && end > from);
    if (isWhole || depth <= HARMLESS) return maskRanges(text, ranges);
    const before = ranges.filter(({ end }) => end <= from);
    return maskRanges(text, [...before, { start: from, end: text.length, shown: HIDDEN }]);
  }
}
