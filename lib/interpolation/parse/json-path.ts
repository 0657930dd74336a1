import { nameEnd } from "./names.ts";

/** A JSONPath behind its `$`: what it chooses among, level by level. */
export type JsonPath = readonly JsonPathSegment[];

/** One level of a JSONPath; `deep` (`..`) takes all levels below as well. */
export interface JsonPathSegment {
  readonly deep: boolean;
  readonly selectors: readonly JsonPathSelector[];
}

/** What a level chooses. */
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

/** A value of a comparison: written out, or reached from the element (`@`) or from the top (`$`). */
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

/** Parentheses, filters within filters; no file of a person comes near. */
const DEEPEST = 32;

/**
 * Reads a JSONPath (RFC 9535) without functions. As in JSONPath Plus, which VS Code's REST Client
 * uses, `===` and `!==` may be written.
 *
 * By hand, since a wrong match sends a wrong request: jsonpath-rfc9535 1.3 takes `a && b && c` for
 * `a && (b || c)`, and json-p3 2.3 compares long integers as doubles and overflows on deep JSON.
 *
 *     path     = "$" { segment }
 *     segment  = ( "." | ".." ) ( property | "*" ) | [ ".." ] "[" selector { "," selector } "]"
 *     selector = quoted | index | slice | "*" | "?" test
 *     test     = "(" test ")" | "!" test | test ( "&&" | "||" ) test | operand [ operator operand ]
 *     operand  = quoted | number | "true" | "false" | "null" | ( "@" | "$" ) { segment }
 *
 * @param text The text to read from; a line break ends the path.
 * @param dollar Where the `$` stands.
 * @returns The path and where it ends.
 * @throws {JsonPathFault} It is none.
 */
export function parseJsonPath(
  text: string,
  dollar: number,
): { readonly path: JsonPath; readonly end: number } {
  let at = dollar + 1;
  let depth = 0;

  const fail = (expected: string): never => {
    throw new JsonPathFault(at, expected);
  };
  const skip = (): void => {
    while (text[at] === " " || text[at] === "\t") at++;
  };
  /** Takes one of some words, blanks before it being passed over. */
  const take = (...words: readonly string[]): string | undefined => {
    skip();
    const word = words.find((one) => text.startsWith(one, at));
    if (word !== undefined) at += word.length;
    return word;
  };
  const match = (pattern: RegExp): string | undefined => {
    skip();
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  function segments(): JsonPath {
    const path: JsonPathSegment[] = [];
    for (;;) {
      const mark = take("..", ".", "[");
      if (mark === undefined) return path;
      const deep = mark === "..";
      const isBracket = mark === "[" || (deep && take("[") !== undefined);
      path.push({ deep, selectors: isBracket ? brackets() : [property()] });
    }
  }

  function property(): JsonPathSelector {
    if (take("*") !== undefined) return { kind: "all" };
    const end = nameEnd(text, at);
    if (end === at) fail('a property name or "*"');
    const name = text.slice(at, end);
    at = end;
    return { kind: "name", name };
  }

  function brackets(): readonly JsonPathSelector[] {
    const selectors = [selector()];
    while (take(",") !== undefined) selectors.push(selector());
    if (take("]") === undefined) fail('"," or "]"');
    return selectors;
  }

  function selector(): JsonPathSelector {
    if (take("*") !== undefined) return { kind: "all" };
    if (take("?") !== undefined) return { kind: "filter", test: nested(either) };
    const name = quoted();
    if (name !== undefined) return { kind: "name", name };
    const start = integer();
    if (take(":") === undefined) {
      return start === undefined
        ? fail('a quoted key, an index, "*" or "?" with a filter')
        : { kind: "index", index: start };
    }
    const end = integer();
    const step = take(":") === undefined ? 1 : (integer() ?? 1);
    return { kind: "slice", start, end, step };
  }

  function integer(): number | undefined {
    const digits = match(/-?\d{1,16}(?!\d)/y);
    return digits === undefined ? undefined : Number(digits);
  }

  function quoted(): string | undefined {
    const written = match(/"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'/y);
    return written?.slice(1, -1).replace(/\\(?:u([\dA-Fa-f]{4})|(.))/g, unescaped);
  }

  function nested<T>(read: () => T): T {
    if (++depth > DEEPEST) fail("fewer levels of parentheses");
    const result = read();
    depth--;
    return result;
  }

  function either(): JsonPathTest {
    const tests = [both()];
    while (take("||") !== undefined) tests.push(both());
    return tests.length === 1 ? (tests[0] as JsonPathTest) : { kind: "or", tests };
  }

  function both(): JsonPathTest {
    const tests = [single()];
    while (take("&&") !== undefined) tests.push(single());
    return tests.length === 1 ? (tests[0] as JsonPathTest) : { kind: "and", tests };
  }

  function single(): JsonPathTest {
    if (take("(") !== undefined) {
      const test = nested(either);
      if (take(")") === undefined) fail('"&&", "||" or ")"');
      return test;
    }
    skip();
    if (text[at] === "!" && text[at + 1] !== "=") {
      at++;
      return { kind: "not", test: nested(single) };
    }
    const left = operand();
    const written = take("===", "!==", "==", "!=", "<=", ">=", "<", ">");
    if (written === undefined) {
      return left.kind === "literal" ? fail("a comparison") : { kind: "is", operand: left };
    }
    const operator = written.replace(/^([!=]=)=$/, "$1") as JsonPathOperator;
    return { kind: "compare", operator, left, right: operand() };
  }

  function operand(): JsonPathOperand {
    const from = take("@", "$");
    if (from !== undefined)
      return { kind: "path", from: from as "@" | "$", path: nested(segments) };
    const string = quoted();
    if (string !== undefined) return { kind: "literal", value: string };
    const word = match(/(?:true|false|null)(?![\w-])|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (word === undefined) return fail("@, $, a quoted text or a number");
    return { kind: "literal", value: toLiteral(word) };
  }

  const path = segments();
  return { path, end: at };
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
