/** The most entries of the table of successors: 4 MB, which fit a processor's cache. */
const TABLE = 1 << 20;

/**
 * Finds any number of patterns in one pass (Aho and Corasick, 1975). A thousand secrets have some
 * 300,000 nodes, so they are numbers in flat arrays, not objects: breadth first, so that the children
 * of a node are neighbors. The nodes near the root, where a scan spends nearly all its time, have a row
 * of all successors; the others search their children.
 */
export class Automaton {
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
