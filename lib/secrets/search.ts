import { isEscaped, type Reading, readingsOf, startOfPartialEscape } from "./escapes.ts";
import { formsOf } from "./forms.ts";
import { HIDDEN, maskRanges, type SecretRange, type Stretch } from "./placeholders.ts";

/** A form of a secret that was found. */
interface Match extends Stretch {
  readonly secret: string;
}

/** The end of a text that the next piece of a stream may complete. */
export interface PartialMatch {
  /** Its offset; the length of the text if there is none. */
  readonly from: number;
  /** How many characters of a secret there are. */
  readonly depth: number;
}

/** How many characters tell whether a form is worth looking for at a place. */
const START = 4;
const HASHES = 1 << 20;
/**
 * A longer part of a form is hidden even if the rest of the form is missing. The search goes on near the end of the part:
 * from each of its characters, a text that repeats the part would be compared again and again.
 */
const PART = 128;
const NO_STARTS = new Uint8Array();
/** What stands in place of the rest of a text. */
export const CUT = "…";
/** A server may send any number of them. */
const MOST_CUT = 100;
/** `&amp;#x0041;`: hardly an escape of one character is longer. */
const LONGEST_ESCAPE = 16;

/**
 * Finds any number of secrets in all their forms, in one pass over a text. A regular expression of all forms is as
 * fast for three secrets; for a hundred, which one answer can have, it takes half a second for a megabyte, and this
 * 20 ms.
 */
export class Search {
  /** The secret of each form. */
  readonly #secretOf = new Map<string, string>();
  /** The forms by their first characters, in order: learning one more secret moves few of them. */
  readonly #forms = new Map<string, string[]>();
  /** Forms that are too short for a hash, of texts that are hidden however short they are. */
  readonly #short: string[] = [];
  /** The first one to three characters of each form. */
  readonly #beginnings = new Set<string>();
  /** Whether a form begins with characters, by their hash. */
  #starts = NO_STARTS;
  #longest = 0;

  /** Adds a secret. */
  add(secret: string): void {
    if (this.#starts === NO_STARTS) this.#starts = new Uint8Array(HASHES);
    for (const form of formsOf(secret)) {
      if (this.#secretOf.has(form)) continue;
      this.#secretOf.set(form, secret);
      this.#longest = Math.max(this.#longest, form.length);
      const start = form.slice(0, START);
      const alike = this.#forms.get(start);
      if (alike !== undefined) {
        alike.splice(placeAfter(alike, form), 0, form);
        continue;
      }
      for (let end = 1; end < START; end++) this.#beginnings.add(start.slice(0, end));
      if (form.length < START) this.#short.push(form);
      else {
        this.#forms.set(start, [form]);
        this.#starts[hashOf(form)] = 1;
      }
    }
  }

  /** The places of secrets, as the text is written and with its escapes undone; they may overlap. */
  locate(text: string): readonly Match[] {
    if (this.#secretOf.size === 0) return [];
    const found = this.#locate(text);
    if (!isEscaped(text)) return found;
    for (const { text: plain, offsets } of readingsOf(text)) {
      for (const { start, end, secret } of this.#locate(plain)) {
        found.push({ start: offsets[start] ?? 0, end: offsets[end] ?? 0, secret });
      }
    }
    return found;
  }

  /** The beginnings of secrets before an ellipsis: messages quote the beginning of what is long. */
  locateCut(text: string): readonly Match[] {
    const found: Match[] = [];
    for (let end = text.lastIndexOf(CUT); end > 0 && found.length < MOST_CUT; ) {
      const depth = this.#depthOf(text.slice(0, end));
      const start = end - depth;
      const isWhole = this.#secretOf.has(text.slice(start, end));
      if (depth > HARMLESS && !isWhole) found.push({ start, end, secret: "" });
      end = text.lastIndexOf(CUT, end - 1);
    }
    return found;
  }

  /** The end of a text that may be the beginning of a secret or of an escape. */
  partialMatch(text: string): PartialMatch {
    const none = { from: text.length, depth: 0 };
    if (this.#secretOf.size === 0) return none;
    const tail = text.slice(-this.#longest * LONGEST_ESCAPE);
    // An escape may follow characters that are not escaped.
    const whole = tail.slice(0, startOfPartialEscape(tail));
    const readings: Partial<Reading>[] = [{ text: tail }, { text: whole }, ...readingsOf(whole)];
    return readings.reduce<PartialMatch>((first, { text: plain = "", offsets }) => {
      const depth = this.#depthOf(plain);
      const start = plain.length - depth;
      const from = text.length - tail.length + (offsets?.[start] ?? start);
      return from < first.from ? { from, depth } : first;
    }, none);
  }

  #locate(text: string): Match[] {
    const found: Match[] = [];
    const add = (start: number, form: string): void => {
      const secret = this.#secretOf.get(form) ?? form;
      found.push({ start, end: start + form.length, secret });
    };
    for (const form of this.#short) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) add(at, form);
    }
    const starts = this.#starts;
    let hash = 0;
    let covered = 0;
    // Bare: this runs for each character of everything that is shown.
    for (let last = 0; last < text.length; last++) {
      hash = (hash << 5) ^ text.charCodeAt(last);
      if (starts[hash & (HASHES - 1)] === 0) continue;
      const start = last + 1 - START;
      const form = start < 0 ? undefined : this.#longestAt(text, start);
      // What stands within a longer secret is a part of it: its placeholder would not be that of the whole.
      if (form === undefined || start + form.length <= covered) continue;
      covered = start + form.length;
      add(start, form);
      if (form.length > PART) last = Math.max(last, covered - PART);
    }
    return found;
  }

  /** The longest form that a text has at a place; or a part of a form that is longer than it by more than `PART`. */
  #longestAt(text: string, start: number): string | undefined {
    const forms = this.#forms.get(text.slice(start, start + START));
    if (forms === undefined) return undefined;
    const rest = text.slice(start, start + this.#longest);
    const next = placeAfter(forms, rest);
    const common = Math.max(commonLength(rest, forms[next - 1]), commonLength(rest, forms[next]));
    let wanted = rest.slice(0, common);
    while (wanted.length + PART >= common) {
      const place = placeAfter(forms, wanted);
      const form = forms[place] === wanted ? wanted : forms[place - 1];
      if (form === undefined) break;
      // A form that the text begins with is no longer than what it has in common with this one.
      const length = commonLength(wanted, form);
      if (length === form.length && length + PART >= common) return form;
      wanted = wanted.slice(0, length);
    }
    return common > PART ? rest.slice(0, common) : undefined;
  }

  /** How many of the last characters of a text may be the beginning of a form. */
  #depthOf(text: string): number {
    for (let start = Math.max(0, text.length - this.#longest); start < text.length; start++) {
      const isPossible = text.length - start < START || this.#starts[hashOf(text, start)] === 1;
      if (isPossible && this.#beginsForm(text.slice(start))) return text.length - start;
    }
    return 0;
  }

  #beginsForm(text: string): boolean {
    if (text.length < START) return this.#beginnings.has(text);
    const forms = this.#forms.get(text.slice(0, START)) ?? [];
    return forms[placeAfter(forms, text)]?.startsWith(text) === true;
  }
}

/** How many characters two texts have in common at their beginning. */
function commonLength(one: string, other = ""): number {
  let length = 0;
  while (length < other.length && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

/** The place of the first of some sorted forms that is a text, or comes after it. */
function placeAfter(forms: readonly string[], text: string): number {
  let low = 0;
  let high = forms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((forms[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A hash of the characters from a place on that tell a form. */
function hashOf(text: string, start = 0): number {
  let hash = 0;
  for (let index = start; index < start + START; index++) {
    hash = (hash << 5) ^ text.charCodeAt(index);
  }
  return hash & (HASHES - 1);
}

interface StreamSearch {
  locate(text: string): readonly SecretRange[];
  partialMatch(text: string): PartialMatch;
}

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
