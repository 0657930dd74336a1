/** A text to find, and whose it is. */
export interface Pattern {
  readonly text: string;
  readonly owner: number;
}

/** Receives the end of a match, its length and its owner. */
export type Report = (end: number, length: number, owner: number) => void;

/** Finds any number of patterns in one pass (Aho and Corasick, 1975). */
export interface Automaton {
  /** Reads a text, reports the longest match that ends at each place, and returns the last state. */
  scan(text: string, report: Report): number;
  /** The length of the longest pattern: characters before that do not affect a state. */
  readonly longest: number;
  /** How many of the last characters may be the beginning of a pattern. */
  depth(state: number): number;
  /** How many more characters the shortest such pattern needs. */
  missing(state: number): number;
}

/** The most entries of the table of successors: 4 MB, which fit a processor's cache. */
const TABLE = 1 << 20;

/**
 * Builds the automaton. A thousand secrets have some 400,000 nodes, so they are numbers in flat arrays,
 * not objects: breadth first, so that the children of a node are neighbors. The nodes near the root,
 * where a scan spends nearly all its time, have a row of all successors; the others search their children.
 */
export function createAutomaton(patterns: readonly Pattern[]): Automaton {
  // The sort is stable: of equal texts the first owner comes first.
  const sorted = patterns.filter(({ text }) => text !== "").toSorted(byText);
  const { classOf, classes } = classify(sorted);
  const room = sorted.reduce((sum, { text }) => sum + text.length, 1);
  const rows = Math.min(room, Math.floor(TABLE / classes));
  const table = new Int32Array(rows * classes);
  // The sorted patterns that begin with the characters of a node are those from `first` to `last`.
  const first = new Int32Array(room);
  const last = new Int32Array(room);
  const depth = new Int32Array(room);
  const label = new Uint16Array(room);
  const fail = new Int32Array(room);
  const length = new Int32Array(room);
  const owner = new Int32Array(room);
  /** The nearest suffix, or the node itself, from which a pattern goes on. */
  const open = new Int32Array(room);
  /** The children of a node end where those of the next node begin. */
  const children = new Int32Array(room + 1);

  const next = (from: number, character: number): number => {
    let state = from;
    while (state >= rows) {
      const end = children[state + 1] ?? 0;
      for (let child = children[state] ?? 0; child < end; child++) {
        if (label[child] === character) return child;
      }
      state = fail[state] ?? 0;
    }
    return table[state * classes + character] ?? 0;
  };

  let count = 1;
  last[0] = sorted.length;
  for (let node = 0; node < count; node++) {
    const back = fail[node] ?? 0;
    const at = depth[node] ?? 0;
    const end = last[node] ?? 0;
    let pattern = first[node] ?? 0;
    const own = sorted[pattern];
    const isWhole = own !== undefined && own.text.length === at;
    // A match of the longest proper suffix ends here, too.
    length[node] = isWhole ? at : (length[back] ?? 0);
    owner[node] = isWhole ? own.owner : (owner[back] ?? 0);
    while (pattern < end && sorted[pattern]?.text.length === at) pattern++;
    if (node !== 0 && node < rows) {
      table.copyWithin(node * classes, back * classes, (back + 1) * classes);
    }
    children[node] = count;
    open[node] = pattern < end ? node : (open[back] ?? 0);
    while (pattern < end) {
      const child = count++;
      const code = sorted[pattern]?.text.charCodeAt(at);
      const character = classOf[code ?? 0] ?? 0;
      first[child] = pattern;
      while (pattern < end && sorted[pattern]?.text.charCodeAt(at) === code) pattern++;
      last[child] = pattern;
      depth[child] = at + 1;
      label[child] = character;
      fail[child] = node === 0 ? 0 : next(back, character);
      if (node < rows) table[node * classes + character] = child;
    }
  }
  children[count] = count;

  return {
    scan: (text, report) => {
      let state = 0;
      for (let index = 0; index < text.length; index++) {
        const character = classOf[text.charCodeAt(index)] ?? 0;
        if (character === 0) {
          state = 0;
          continue;
        }
        state = state < rows ? (table[state * classes + character] ?? 0) : next(state, character);
        const found = length[state] ?? 0;
        if (found !== 0) report(index + 1, found, owner[state] ?? 0);
      }
      return state;
    },
    longest: depth[count - 1] ?? 0,
    depth: (state) => depth[open[state] ?? 0] ?? 0,
    missing: (state) => {
      const node = open[state] ?? 0;
      const begun = sorted.slice(first[node], last[node]);
      const shortest = begun.reduce((least, { text }) => Math.min(least, text.length), Infinity);
      return begun.length === 0 ? 0 : shortest - (depth[node] ?? 0);
    },
  };
}

function byText(one: Pattern, other: Pattern): number {
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
}

/** Numbers the characters of the patterns from 1; all others are 0. */
function classify(patterns: readonly Pattern[]): { classOf: Uint16Array; classes: number } {
  const classOf = new Uint16Array(65_536);
  let classes = 1;
  for (const { text } of patterns) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (classOf[code] === 0) classOf[code] = classes++;
    }
  }
  return { classOf, classes };
}
