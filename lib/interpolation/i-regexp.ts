/**
 * The regular expressions of JSONPath: I-Regexp (RFC 9485), with `^`, `$` and classes such as `\d`, which people write.
 * They may come from a response, and the engine of the language may need exponential time for one; here all ways
 * through an expression are followed at once, so that the time grows with its size times the length of the text.
 */

/** What an expression consists of. */
type Node =
  | { readonly kind: "character"; readonly isIn: (character: string) => boolean }
  | { readonly kind: "edge"; readonly isEnd: boolean }
  | { readonly kind: "sequence" | "choice"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number };

/** One step of an expression, and the steps that may come after it. */
interface State {
  /** The character that it takes; without one it takes none. */
  readonly isIn?: (character: string) => boolean;
  /** Where alone it may be passed. */
  readonly edge?: "start" | "end";
  next: readonly State[];
}

/** A compiled expression. */
export interface Regexp {
  /** Whether the whole text matches. */
  matches(text: string): boolean;
  /** Whether a part of the text matches. */
  isIn(text: string): boolean;
}

const DEEPEST = 50;
const MOST_STATES = 2_000;

/**
 * Compiles a regular expression.
 *
 * @returns `undefined` if it is not valid, or too large.
 */
export function compileRegexp(pattern: string): Regexp | undefined {
  const node = new RegexpParser(pattern).whole();
  if (node === undefined) return undefined;
  const end: State = { next: [] };
  let count = 0;
  const create = (state: State): State => {
    count += 1;
    if (count > MOST_STATES) throw new RangeError("The regular expression is too large");
    return state;
  };
  try {
    const start = connect(node, end, create);
    return {
      matches: (text) => run(start, end, text, true),
      isIn: (text) => run(start, end, text, false),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Creates the states of a part of an expression. @returns The first; `next` comes after the last. */
function connect(node: Node, next: State, create: (state: State) => State): State {
  switch (node.kind) {
    case "character":
      return create({ isIn: node.isIn, next: [next] });
    case "edge":
      return create({ edge: node.isEnd ? "end" : "start", next: [next] });
    case "sequence":
      return node.nodes.reduceRight((after, one) => connect(one, after, create), next);
    case "choice":
      return create({ next: node.nodes.map((one) => connect(one, next, create)) });
    case "repeat":
      return repeat(node, next, create);
  }
}

function repeat(
  { node, least, most }: Extract<Node, { readonly kind: "repeat" }>,
  next: State,
  create: (state: State) => State,
): State {
  let first = next;
  if (most === Number.POSITIVE_INFINITY) {
    first = create({ next: [] });
    first.next = [connect(node, first, create), next];
  } else {
    for (let left = most; left > least; left--) {
      first = create({ next: [connect(node, first, create), next] });
    }
  }
  for (let left = least; left > 0; left--) first = connect(node, first, create);
  return first;
}

function run(start: State, end: State, text: string, isWhole: boolean): boolean {
  let open = new Set<State>();
  const enter = (first: State, at: number): void => {
    const waiting = [first];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (open.has(state)) continue;
      if (state.edge === "start" && at > 0) continue;
      if (state.edge === "end" && at < text.length) continue;
      open.add(state);
      if (state.isIn === undefined) waiting.push(...state.next);
    }
  };
  enter(start, 0);
  let at = 0;
  for (const character of text) {
    if (!isWhole && open.has(end)) return true;
    const before = open;
    open = new Set();
    at += character.length;
    for (const { isIn, next } of before) {
      if (isIn?.(character) === true) for (const state of next) enter(state, at);
    }
    if (!isWhole) enter(start, at);
  }
  return open.has(end);
}

/** One character of a class, or an escaped one; the classes have the syntax of the language. */
const CLASS = /\[(?:[^\]\\]|\\.)+\]/suy;
const ESCAPED = /\\(?:[pP]\{[\w=]+\}|[nrtdDwWsS]|[^\p{L}\p{Nd}])/uy;
const COUNT = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/uy;
const PLAIN = /[^\\[\](){}*+?|]/uy;

/** A parser by recursive descent. */
class RegexpParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node | undefined {
    const node = this.#choice();
    return this.#at === this.#text.length ? node : undefined;
  }

  #choice(): Node | undefined {
    this.#depth += 1;
    const nodes: Node[] = [];
    do {
      const node = this.#depth > DEEPEST ? undefined : this.#sequence();
      if (node === undefined) return undefined;
      nodes.push(node);
    } while (this.#take(/\|/y) !== undefined);
    this.#depth -= 1;
    return nodes.length === 1 ? nodes[0] : { kind: "choice", nodes };
  }

  #sequence(): Node | undefined {
    const nodes: Node[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at] ?? "")) {
      const node = this.#piece();
      if (node === undefined) return undefined;
      nodes.push(node);
    }
    return { kind: "sequence", nodes };
  }

  #piece(): Node | undefined {
    const node = this.#atom();
    if (node === undefined) return undefined;
    const sign = this.#take(/[*+?]/y)?.[0];
    const [counted, low, comma, high = Number.POSITIVE_INFINITY] =
      sign === undefined ? (this.#take(COUNT) ?? []) : [];
    if (sign === undefined && counted === undefined) return node;
    const least = sign === undefined ? Number(low) : sign === "+" ? 1 : 0;
    const limit = comma === undefined ? least : Number(high);
    const most = sign === undefined ? limit : sign === "?" ? 1 : Number.POSITIVE_INFINITY;
    return most < least ? undefined : { kind: "repeat", node, least, most };
  }

  #atom(): Node | undefined {
    if (this.#take(/\(/y) !== undefined) {
      const node = this.#choice();
      return this.#take(/\)/y) === undefined ? undefined : node;
    }
    const set = this.#take(CLASS)?.[0];
    if (set !== undefined) return inClass(set);
    const escaped = this.#take(ESCAPED)?.[0];
    if (escaped !== undefined) return inClass(`[${escaped}]`);
    const plain = this.#take(PLAIN)?.[0];
    if (plain === undefined) return undefined;
    if (plain === "^" || plain === "$") return { kind: "edge", isEnd: plain === "$" };
    if (plain === ".") return { kind: "character", isIn: (one) => one !== "\n" && one !== "\r" };
    return { kind: "character", isIn: (one) => one === plain };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found ?? undefined;
  }
}

function inClass(set: string): Node | undefined {
  try {
    const pattern = new RegExp(`^${set}$`, "u");
    return { kind: "character", isIn: (character) => pattern.test(character) };
  } catch {
    // The class is not valid.
    return undefined;
  }
}
