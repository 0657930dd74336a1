import { formsOf, readingsOf, startOfPartialEscape, unescapeText } from "./escapes.ts";
import { HIDDEN, maskRanges, type SecretRange } from "./placeholders.ts";

/** The end of a text that the next piece of a stream may complete. */
interface PartialMatch {
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

/**
 * Finds any number of patterns in one pass (Aho and Corasick, 1975). A thousand secrets have some
 * 300,000 nodes, so they are numbers in flat arrays, not objects: breadth first, so that the children
 * of a node are neighbors. The nodes near the root, where a scan spends nearly all its time, have a row
 * of all successors; the others search their children.
 */
class Automaton {
  /** The patterns, sorted, and the secrets that they are forms of. */
  readonly #patterns: readonly string[];
  readonly #secrets: readonly string[];
  /** The characters of the patterns, numbered from 1; all others are 0. */
  readonly #classOf = new Uint16Array(65_536);
  readonly #classes: number;
  readonly #rows: number;
  readonly #table: Int32Array;
  readonly #depth: Int32Array;
  readonly #label: Uint16Array;
  readonly #fail: Int32Array;
  /** The longest pattern that ends at a node, counted from 1. */
  readonly #match: Int32Array;
  /** The children of a node end where those of the next node begin. */
  readonly #children: Int32Array;
  /** The length of the longest pattern: characters before that do not affect a state. */
  readonly longest: number;

  /** @param secrets The secret of each pattern. */
  constructor(secrets: ReadonlyMap<string, string>) {
    this.#patterns = [...secrets.keys()].sort();
    this.#secrets = this.#patterns.map((text) => secrets.get(text) ?? text);
    let classes = 1;
    let room = 1;
    for (const text of this.#patterns) {
      room += text.length;
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        if (this.#classOf[code] === 0) this.#classOf[code] = classes++;
      }
    }
    this.#classes = classes;
    this.#rows = Math.min(room, Math.floor(TABLE / classes));
    this.#table = new Int32Array(this.#rows * classes);
    this.#depth = new Int32Array(room);
    this.#label = new Uint16Array(room);
    this.#fail = new Int32Array(room);
    this.#match = new Int32Array(room);
    this.#children = new Int32Array(room + 1);
    const count = this.#addNodes(room);
    this.#children[count] = count;
    this.longest = this.#depth[count - 1] ?? 0;
  }

  /**
   * Reads a text, and returns the last state.
   *
   * @param report Receives the longest match that ends at each place.
   */
  scan(text: string, report: (start: number, end: number, secret: string) => void): number {
    const classOf = this.#classOf;
    const table = this.#table;
    const match = this.#match;
    const classes = this.#classes;
    const rows = this.#rows;
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const character = classOf[text.charCodeAt(index)] ?? 0;
      if (character === 0) {
        state = 0;
        continue;
      }
      state =
        state < rows ? (table[state * classes + character] ?? 0) : this.#next(state, character);
      const found = match[state] ?? 0;
      if (found === 0) continue;
      const length = this.#patterns[found - 1]?.length ?? 0;
      report(index + 1 - length, index + 1, this.#secrets[found - 1] ?? "");
    }
    return state;
  }

  /** How many of the last characters of a text may be the beginning of a pattern. */
  depth(text: string): number {
    let node = this.scan(text, () => undefined);
    while (node !== 0 && this.#children[node] === this.#children[node + 1]) {
      node = this.#fail[node] ?? 0;
    }
    return this.#depth[node] ?? 0;
  }

  #next(from: number, character: number): number {
    let state = from;
    while (state >= this.#rows) {
      const end = this.#children[state + 1] ?? 0;
      for (let child = this.#children[state] ?? 0; child < end; child++) {
        if (this.#label[child] === character) return child;
      }
      state = this.#fail[state] ?? 0;
    }
    return this.#table[state * this.#classes + character] ?? 0;
  }

  /** Adds the nodes, level by level, and returns how many there are. */
  #addNodes(room: number): number {
    const patterns = this.#patterns;
    const table = this.#table;
    const classes = this.#classes;
    // The patterns that begin with the characters of a node are those from `first` to `last`.
    const first = new Int32Array(room);
    const last = new Int32Array(room);
    last[0] = patterns.length;
    let count = 1;
    for (let node = 0; node < count; node++) {
      const back = this.#fail[node] ?? 0;
      const depth = this.#depth[node] ?? 0;
      const end = last[node] ?? 0;
      const hasRow = node < this.#rows;
      let pattern = first[node] ?? 0;
      if (hasRow) table.copyWithin(node * classes, back * classes, (back + 1) * classes);
      // A match of the longest proper suffix ends here, too.
      const isWhole = patterns[pattern]?.length === depth;
      this.#match[node] = isWhole ? ++pattern : (this.#match[back] ?? 0);
      this.#children[node] = count;
      while (pattern < end) {
        const code = patterns[pattern]?.charCodeAt(depth) ?? 0;
        const character = this.#classOf[code] ?? 0;
        const child = count++;
        first[child] = pattern;
        while (pattern < end && patterns[pattern]?.charCodeAt(depth) === code) pattern++;
        last[child] = pattern;
        this.#depth[child] = depth + 1;
        this.#label[child] = character;
        this.#fail[child] = node === 0 ? 0 : this.#next(back, character);
        if (hasRow) table[node * classes + character] = child;
      }
    }
    return count;
  }
}

/** The most entries of the table of successors: 4 MB, which fit a processor's cache. */
const TABLE = 1 << 20;

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
