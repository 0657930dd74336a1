/** A text to find, and the secret that it is a form of. */
export interface Pattern {
  readonly text: string;
  readonly secret: string;
}

/** The most entries of the table of successors: 4 MB, which fit a processor's cache. */
const TABLE = 1 << 20;

/**
 * Finds any number of patterns in one pass (Aho and Corasick, 1975). A thousand secrets have some
 * 300,000 nodes, so they are numbers in flat arrays, not objects: breadth first, so that the children
 * of a node are neighbors. The nodes near the root, where a scan spends nearly all its time, have a row
 * of all successors; the others search their children.
 */
export class Automaton {
  /** The length of the longest pattern: characters before that do not affect a state. */
  readonly longest: number;
  readonly #patterns: readonly Pattern[];
  /** The characters of the patterns, numbered from 1; all others are 0. */
  readonly #classOf = new Uint16Array(65_536);
  readonly #classes: number;
  readonly #rows: number;
  readonly #table: Int32Array;
  /** The sorted patterns that begin with the characters of a node are those from `first` to `last`. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #depth: Int32Array;
  readonly #label: Uint16Array;
  readonly #fail: Int32Array;
  /** The longest pattern that ends at a node, counted from 1. */
  readonly #match: Int32Array;
  /** The children of a node end where those of the next node begin. */
  readonly #children: Int32Array;
  #count = 1;

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns.toSorted(byText);
    let classes = 1;
    let room = 1;
    for (const { text } of patterns) {
      room += text.length;
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        if (this.#classOf[code] === 0) this.#classOf[code] = classes++;
      }
    }
    this.#classes = classes;
    this.#rows = Math.min(room, Math.floor(TABLE / classes));
    this.#table = new Int32Array(this.#rows * classes);
    this.#first = new Int32Array(room);
    this.#last = new Int32Array(room);
    this.#depth = new Int32Array(room);
    this.#label = new Uint16Array(room);
    this.#fail = new Int32Array(room);
    this.#match = new Int32Array(room);
    this.#children = new Int32Array(room + 1);
    this.#last[0] = patterns.length;
    for (let node = 0; node < this.#count; node++) this.#addChildren(node);
    this.#children[this.#count] = this.#count;
    this.longest = this.#depth[this.#count - 1] ?? 0;
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
      const pattern = this.#patterns[found - 1] as Pattern;
      report(index + 1 - pattern.text.length, index + 1, pattern.secret);
    }
    return state;
  }

  /** How many of the last characters of a text may be the beginning of a pattern. */
  depth(text: string): number {
    let node = this.scan(text, () => undefined);
    while (node !== 0 && this.#children[node] === this.#children[node + 1])
      node = this.#fail[node] ?? 0;
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

  #addChildren(node: number): void {
    const classes = this.#classes;
    const back = this.#fail[node] ?? 0;
    const depth = this.#depth[node] ?? 0;
    const end = this.#last[node] ?? 0;
    const hasRow = node < this.#rows;
    if (hasRow && node !== 0) {
      this.#table.copyWithin(node * classes, back * classes, (back + 1) * classes);
    }
    this.#children[node] = this.#count;
    let pattern = this.#first[node] ?? 0;
    // A match of the longest proper suffix ends here, too. Of equal texts the first one counts.
    const isWhole = this.#patterns[pattern]?.text.length === depth;
    this.#match[node] = isWhole ? pattern + 1 : (this.#match[back] ?? 0);
    while (pattern < end && this.#patterns[pattern]?.text.length === depth) pattern++;
    while (pattern < end) {
      const code = this.#patterns[pattern]?.text.charCodeAt(depth) ?? 0;
      const child = this.#count++;
      const character = this.#classOf[code] ?? 0;
      this.#first[child] = pattern;
      while (pattern < end && this.#patterns[pattern]?.text.charCodeAt(depth) === code) pattern++;
      this.#last[child] = pattern;
      this.#depth[child] = depth + 1;
      this.#label[child] = character;
      this.#fail[child] = node === 0 ? 0 : this.#next(back, character);
      if (hasRow) this.#table[node * classes + character] = child;
    }
  }
}

function byText(one: Pattern, other: Pattern): number {
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
}
