/** A JSONPath without its `$`: what it selects, level by level. */
export type JsonPath = readonly JsonPathSegment[];

/** One level of a JSONPath; `deep` (`..`) includes all levels below. */
export interface JsonPathSegment {
  readonly deep: boolean;
  readonly selectors: readonly JsonPathSelector[];
}

/** What a level selects. */
export type JsonPathSelector =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "all" }
  | SliceSelector
  | { readonly kind: "filter"; readonly test: JsonPathTest };

/** `[first:last:step]`, as in Python. */
export interface SliceSelector {
  readonly kind: "slice";
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number;
}

/** The condition of a filter. */
export type JsonPathTest =
  | { readonly kind: "or" | "and"; readonly tests: readonly JsonPathTest[] }
  | { readonly kind: "not"; readonly test: JsonPathTest }
  | { readonly kind: "is"; readonly operand: JsonPathOperand }
  | {
      readonly kind: "compare";
      readonly operator: JsonPathOperator;
      readonly left: JsonPathOperand;
      readonly right: JsonPathOperand;
    };

/** How two values are compared. */
export type JsonPathOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A value of a comparison: a literal, or a path from the element (`@`) or from the root (`$`). */
export type JsonPathOperand =
  | { readonly kind: "literal"; readonly value: string | number | bigint | boolean | null }
  | { readonly kind: "path"; readonly from: "@" | "$"; readonly path: JsonPath };

/** Where a JSONPath is broken, and what was expected there. */
export class JsonPathFault {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    this.at = at;
    this.expected = expected;
  }
}

/**
 * Parses a JSONPath (RFC 9535) without functions. `===` and `!==` are accepted as in JSONPath Plus,
 * which VS Code's REST Client uses.
 *
 * Written by hand because a wrong match sends a wrong request: jsonpath-rfc9535 1.3 reads
 * `a && b && c` as `a && (b || c)`, and json-p3 2.3 compares long integers as doubles and overflows the
 * stack on deep JSON.
 *
 *     path     = "$" { segment }
 *     segment  = ( "." | ".." ) ( property | "*" ) | [ ".." ] "[" selector { "," selector } "]"
 *     selector = quoted | index | slice | "*" | "?" test
 *     test     = "(" test ")" | "!" test | test ( "&&" | "||" ) test | operand [ operator operand ]
 *     operand  = quoted | number | "true" | "false" | "null" | ( "@" | "$" ) { segment }
 *
 * @param text The text to read from; a line break ends the path.
 * @param dollar The index of the `$`.
 * @returns The path and the index after it.
 * @throws {JsonPathFault} It is not a JSONPath.
 */
export function parseJsonPath(
  text: string,
  dollar: number,
): { readonly path: JsonPath; readonly end: number } {
  const parser = new JsonPathParser(text, dollar + 1);
  return { path: parser.segments(), end: parser.at };
}

/** Limits nested parentheses and filters, so that a hostile path cannot overflow the stack. */
const DEPTH_LIMIT = 32;

/** A colon may be within a name (`cmis:objectId`), as in JSONPath Plus; RFC 9535 has it in quotes. */
const PROPERTY = /[\p{L}\p{M}\p{Nd}_-]+(?::[\p{L}\p{M}\p{Nd}_-]+)*/uy;

const OPERATORS = ["===", "!==", "==", "!=", "<=", ">=", "<", ">"];

/** A parser by recursive descent: one method for each rule of the grammar. */
class JsonPathParser {
  readonly #text: string;
  at: number;
  #depth = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  segments(): JsonPath {
    const path: JsonPathSegment[] = [];
    for (;;) {
      // A placeholder ends in `[]` if it stands for the list of all values.
      if (this.#text.startsWith("[]", this.at)) return path;
      const mark = this.#take("..", ".", "[");
      if (mark === undefined) return path;
      const deep = mark === "..";
      const isBracket = mark === "[" || (deep && this.#take("[") !== undefined);
      path.push({ deep, selectors: isBracket ? this.#brackets() : [this.#property()] });
    }
  }

  #property(): JsonPathSelector {
    if (this.#take("*") !== undefined) return { kind: "all" };
    const name = this.#match(PROPERTY) ?? this.#fail('a property name or "*"');
    return { kind: "name", name };
  }

  #brackets(): readonly JsonPathSelector[] {
    const selectors = [this.#selector()];
    while (this.#take(",") !== undefined) selectors.push(this.#selector());
    if (this.#take("]") === undefined) this.#fail('"," or "]"');
    return selectors;
  }

  #selector(): JsonPathSelector {
    if (this.#take("*") !== undefined) return { kind: "all" };
    if (this.#take("?") !== undefined) {
      return { kind: "filter", test: this.#nested(() => this.#either()) };
    }
    const name = this.#quoted();
    if (name !== undefined) return { kind: "name", name };
    const start = this.#integer();
    if (this.#take(":") === undefined) {
      return start === undefined
        ? this.#fail('a quoted key, an index, "*" or "?" with a filter')
        : { kind: "index", index: start };
    }
    const end = this.#integer();
    const step = this.#take(":") === undefined ? 1 : (this.#integer() ?? 1);
    return { kind: "slice", start, end, step };
  }

  #either(): JsonPathTest {
    const first = this.#both();
    const tests = [first];
    while (this.#take("||") !== undefined) tests.push(this.#both());
    return tests.length === 1 ? first : { kind: "or", tests };
  }

  #both(): JsonPathTest {
    const first = this.#single();
    const tests = [first];
    while (this.#take("&&") !== undefined) tests.push(this.#single());
    return tests.length === 1 ? first : { kind: "and", tests };
  }

  #single(): JsonPathTest {
    if (this.#take("(") !== undefined) {
      const test = this.#nested(() => this.#either());
      if (this.#take(")") === undefined) this.#fail('"&&", "||" or ")"');
      return test;
    }
    if (this.#match(/!(?!=)/y) !== undefined) {
      return { kind: "not", test: this.#nested(() => this.#single()) };
    }
    const left = this.#operand();
    const written = this.#take(...OPERATORS);
    if (written === undefined) {
      return left.kind === "literal" ? this.#fail("a comparison") : { kind: "is", operand: left };
    }
    const operator = written.replace(/^([!=]=)=$/, "$1") as JsonPathOperator;
    return { kind: "compare", operator, left, right: this.#operand() };
  }

  #operand(): JsonPathOperand {
    const from = this.#take("@", "$");
    if (from !== undefined) {
      return { kind: "path", from: from as "@" | "$", path: this.#nested(() => this.segments()) };
    }
    const string = this.#quoted();
    if (string !== undefined) return { kind: "literal", value: string };
    const word = this.#match(/(?:true|false|null)(?![\w-])|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (word === undefined) return this.#fail("@, $, a quoted text or a number");
    return { kind: "literal", value: toLiteral(word) };
  }

  #integer(): number | undefined {
    const digits = this.#match(/-?\d{1,16}(?!\d)/y);
    return digits === undefined ? undefined : Number(digits);
  }

  #quoted(): string | undefined {
    const written = this.#match(/"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'/y);
    return written?.slice(1, -1).replace(/\\(?:u([\dA-Fa-f]{4})|(.))/g, unescaped);
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) this.#fail("fewer levels of parentheses");
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Consumes the first of some words that comes next, with the blanks before it. */
  #take(...words: readonly string[]): string | undefined {
    this.#skipBlanks();
    const word = words.find((one) => this.#text.startsWith(one, this.at));
    this.at += word?.length ?? 0;
    return word;
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipBlanks();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  #skipBlanks(): void {
    while (this.#text[this.at] === " " || this.#text[this.at] === "\t") this.at += 1;
  }

  #fail(wanted: string): never {
    throw new JsonPathFault(this.at, wanted);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function unescaped(_written: string, hex: string | undefined, character = ""): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  return ESCAPES[character] ?? character;
}

function toLiteral(word: string): number | bigint | boolean | null {
  const value: number | boolean | null = JSON.parse(word.replace(/^(-?)0+(?=\d)/, "$1"));
  const isLong = typeof value === "number" && /^-?\d{16,}$/.test(word);
  return isLong ? BigInt(word) : value;
}
