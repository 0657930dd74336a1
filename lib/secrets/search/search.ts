import { Automaton } from "./automaton.ts";
import { readingsOf, startOfPartialEscape, unescapeText } from "./escapes.ts";
import { formsOf } from "./forms.ts";
import { HIDDEN, type SecretRange } from "./placeholders.ts";

/** The end of a text that the next piece of a stream may complete. */
export interface PartialMatch {
  /** Its offset; the length of the text if there is none. */
  readonly from: number;
  /** How many characters of a secret there are. */
  readonly depth: number;
}

/** Secrets that are searched for together. */
interface PatternSet {
  readonly secrets: ReadonlySet<string>;
  readonly automaton: Automaton;
}

const NO_SECRETS = createPatternSet([]);
/** The most secrets of the small set. */
const MAX_RECENT = 64;
/** `&amp;amp;#x0041;`: hardly an escape of one character is longer. */
const LONGEST_ESCAPE = 16;

/**
 * Finds the secrets of a growing collection in all their forms. New secrets go into a small set, so
 * that learning a token does not rebuild the automaton of all secrets.
 */
export class Search {
  readonly #known: ReadonlyMap<string, Pick<SecretRange, "shown">>;
  #settled = NO_SECRETS;
  #recent = NO_SECRETS;

  /** @param known The secrets and their replacements. */
  constructor(known: ReadonlyMap<string, Pick<SecretRange, "shown">>) {
    this.#known = known;
  }

  /** The ranges of secrets, unordered; they may overlap. */
  locate(text: string): readonly SecretRange[] {
    const automata = this.#automata();
    if (automata.length === 0) return [];
    const found = automata.flatMap((automaton) => this.#locate(text, automaton));
    // A secret may look escaped itself: it stands in a reading between the written text and the last one.
    for (const { text: plain, offsets } of readingsOf(text)) {
      const escaped = automata.flatMap((automaton) => this.#locate(plain, automaton));
      for (const { start, end, shown } of escaped) {
        found.push({ start: offsets[start] ?? 0, end: offsets[end] ?? 0, shown });
      }
    }
    return found;
  }

  /** The end of a text that may be the beginning of a secret or of an escape. */
  partialMatch(text: string): PartialMatch {
    let first: PartialMatch = { from: text.length, depth: 0 };
    for (const match of this.#automata().flatMap((one) => partialMatches(text, one))) {
      if (match.from < first.from) first = match;
    }
    return first;
  }

  /** Rebuilds everything after a secret was removed. */
  forget(): void {
    this.#settled = NO_SECRETS;
    this.#recent = NO_SECRETS;
  }

  #automata(): readonly Automaton[] {
    if (this.#known.size !== this.#settled.secrets.size + this.#recent.secrets.size) {
      const fresh = [...this.#known.keys()].filter((text) => !this.#settled.secrets.has(text));
      const isFew = fresh.length <= MAX_RECENT;
      if (!isFew) this.#settled = createPatternSet([...this.#known.keys()]);
      this.#recent = isFew ? createPatternSet(fresh) : NO_SECRETS;
    }
    const sets = [this.#settled, this.#recent].filter(({ secrets }) => secrets.size > 0);
    return sets.map(({ automaton }) => automaton);
  }

  #locate(text: string, automaton: Automaton): SecretRange[] {
    const found: SecretRange[] = [];
    automaton.scan(text, (start, end, secret) => {
      const last = found.at(-1);
      // A longer match replaces a shorter one inside it.
      if (last !== undefined && last.start >= start && last.end <= end) found.pop();
      found.push({ start, end, shown: this.#known.get(secret)?.shown ?? HIDDEN });
    });
    return found;
  }
}

function createPatternSet(secrets: readonly string[]): PatternSet {
  const secretOf = new Map<string, string>();
  for (const secret of secrets) {
    for (const form of formsOf(secret)) if (!secretOf.has(form)) secretOf.set(form, secret);
  }
  return { secrets: new Set(secrets), automaton: new Automaton(secretOf) };
}

/** The match of the text as it is written, and that of the text without its escapes. */
function partialMatches(text: string, automaton: Automaton): readonly PartialMatch[] {
  const depth = automaton.depth(text.slice(-automaton.longest));
  const tail = text.slice(-automaton.longest * LONGEST_ESCAPE);
  // An escape may follow characters that are not escaped.
  const whole = tail.slice(0, startOfPartialEscape(tail));
  const reading = unescapeText(whole);
  const plain = reading?.text ?? whole;
  const plainDepth = automaton.depth(plain);
  const start = plain.length - plainDepth;
  const from = text.length - tail.length + (reading?.offsets[start] ?? start);
  return [
    { from: text.length - depth, depth },
    { from, depth: plainDepth },
  ];
}
