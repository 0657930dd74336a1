/** A text to be found, and what is reported where it is. */
export interface Pattern {
  readonly text: string;
  readonly owner: number;
}

/** Told where a pattern ends, how long it is, and whose it is. */
export type Report = (end: number, length: number, owner: number) => void;

/** Finds any number of patterns in one pass (Aho and Corasick, 1975). */
export interface Automaton {
  /** Reads a text from its beginning, tells of the longest match at each place, and gives its last state. */
  scan(text: string, report: Report): number;
  /** The length of the longest pattern: what lies further back changes no state. */
  readonly longest: number;
  /** How many of the characters that were read last may begin a pattern. */
  depth(state: number): number;
  /** How many more characters the shortest such pattern needs. */
  missing(state: number): number;
}

/** Entries of the table of whole rows: 4 MB at most, which a processor keeps near. */
const TABLE = 1 << 20;

/**
 * Builds the automaton. The libraries that were looked at keep an object for each node and give
 * whole matches of whole texts; here a thousand secrets have some 400,000 nodes, and a stream has to
 * know what the end of a piece may begin. So it stands in flat arrays, numbered breadth first: the
 * nodes near the root, where nearly all of the time is spent, have a whole row of successors, and
 * the children of a node further down are neighbours.
 */
export function createAutomaton(patterns: readonly Pattern[]): Automaton {
  const { classOf, classes } = classify(patterns);
  const trie = growTrie(patterns, classOf);
  const { count, label, firstChild, childCount, depth, length, owner } = layOut(trie);
  const rows = Math.max(1, Math.min(count, Math.floor(TABLE / classes)));
  const table = new Int32Array(rows * classes);
  const fail = new Int32Array(count);

  const childOf = (node: number, character: number): number => {
    const first = firstChild[node] ?? 0;
    const end = first + (childCount[node] ?? 0);
    for (let child = first; child < end; child++) if (label[child] === character) return child;
    return 0;
  };
  const next = (from: number, character: number): number => {
    let state = from;
    while (state >= rows) {
      const child = childOf(state, character);
      if (child !== 0) return child;
      state = fail[state] ?? 0;
    }
    return table[state * classes + character] ?? 0;
  };

  for (let node = 0; node < count; node++) {
    const back = fail[node] ?? 0;
    // What ends in the longest proper suffix ends here, too.
    if (length[node] === 0 && node !== 0) {
      length[node] = length[back] ?? 0;
      owner[node] = owner[back] ?? 0;
    }
    if (node !== 0 && node < rows) {
      table.copyWithin(node * classes, back * classes, (back + 1) * classes);
    }
    const first = firstChild[node] ?? 0;
    for (let child = first; child < first + (childCount[node] ?? 0); child++) {
      const character = label[child] ?? 0;
      fail[child] = node === 0 ? 0 : next(back, character);
      if (node < rows) table[node * classes + character] = child;
    }
  }
  // The end of a pattern that nothing goes on from is no beginning: a shorter suffix may be one.
  const open = new Int32Array(count);
  for (let node = 1; node < count; node++) {
    open[node] = (childCount[node] ?? 0) > 0 ? node : (open[fail[node] ?? 0] ?? 0);
  }
  const missing = missingOf(count, firstChild, childCount, length, depth);

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
    missing: (state) => missing[open[state] ?? 0] ?? 0,
  };
}

/** Characters by number, from 1; all that are in no pattern are 0. */
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

interface Trie {
  readonly count: number;
  readonly label: Uint16Array;
  readonly child: Int32Array;
  readonly sibling: Int32Array;
  readonly length: Int32Array;
  readonly owner: Int32Array;
}

function growTrie(patterns: readonly Pattern[], classOf: Uint16Array): Trie {
  const room = patterns.reduce((sum, { text }) => sum + text.length, 1);
  const label = new Uint16Array(room);
  const child = new Int32Array(room);
  const sibling = new Int32Array(room);
  const length = new Int32Array(room);
  const owner = new Int32Array(room);
  let count = 1;
  for (const pattern of patterns) {
    let node = 0;
    for (let index = 0; index < pattern.text.length; index++) {
      const character = classOf[pattern.text.charCodeAt(index)] ?? 0;
      let found = child[node] ?? 0;
      while (found !== 0 && label[found] !== character) found = sibling[found] ?? 0;
      if (found === 0) {
        found = count++;
        label[found] = character;
        sibling[found] = child[node] ?? 0;
        child[node] = found;
      }
      node = found;
    }
    // The first owner of a text keeps it.
    if (node !== 0 && length[node] === 0) {
      length[node] = pattern.text.length;
      owner[node] = pattern.owner;
    }
  }
  return { count, label, child, sibling, length, owner };
}

interface Layout {
  readonly count: number;
  readonly label: Uint16Array;
  readonly firstChild: Int32Array;
  readonly childCount: Uint16Array;
  readonly depth: Int32Array;
  readonly length: Int32Array;
  readonly owner: Int32Array;
}

/** The same nodes numbered breadth first. */
function layOut(trie: Trie): Layout {
  const { count } = trie;
  const order = new Int32Array(count);
  const label = new Uint16Array(count);
  const firstChild = new Int32Array(count);
  const childCount = new Uint16Array(count);
  const depth = new Int32Array(count);
  const length = new Int32Array(count);
  const owner = new Int32Array(count);
  let known = 1;
  for (let rank = 0; rank < count; rank++) {
    const node = order[rank] ?? 0;
    label[rank] = trie.label[node] ?? 0;
    length[rank] = trie.length[node] ?? 0;
    owner[rank] = trie.owner[node] ?? 0;
    firstChild[rank] = known;
    for (let child = trie.child[node] ?? 0; child !== 0; child = trie.sibling[child] ?? 0) {
      depth[known] = (depth[rank] ?? 0) + 1;
      order[known++] = child;
    }
    childCount[rank] = known - (firstChild[rank] ?? 0);
  }
  return { count, label, firstChild, childCount, depth, length, owner };
}

function missingOf(
  count: number,
  firstChild: Int32Array,
  childCount: Uint16Array,
  length: Int32Array,
  depth: Int32Array,
): Int32Array {
  const missing = new Int32Array(count);
  for (let node = count - 1; node >= 0; node--) {
    if (length[node] === depth[node] && node !== 0) continue;
    let least = Number.MAX_SAFE_INTEGER;
    const first = firstChild[node] ?? 0;
    for (let child = first; child < first + (childCount[node] ?? 0); child++) {
      least = Math.min(least, (missing[child] ?? 0) + 1);
    }
    missing[node] = Math.min(least, 0x7fff_ffff);
  }
  return missing;
}
