import { compileRegexp } from "./i-regexp.ts";
import { parseWrittenNumber } from "./value.ts";
import type { NumberText } from "./written.ts";

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
  | { readonly kind: "is"; readonly query: JsonPathQuery }
  | JsonPathCall
  | {
      readonly kind: "compare";
      readonly operator: JsonPathOperator;
      readonly left: JsonPathOperand;
      readonly right: JsonPathOperand;
    };

/** How two values are compared. */
export type JsonPathOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A path from the element (`@`) or from the root (`$`). */
export interface JsonPathQuery {
  readonly kind: "path";
  readonly from: "@" | "$";
  readonly path: JsonPath;
}

/** A function with its arguments. */
export interface JsonPathCall {
  readonly kind: "call";
  readonly name: FunctionName;
  readonly operands: readonly JsonPathOperand[];
}

/** A value of a comparison, or an argument. */
export type JsonPathOperand =
  | {
      readonly kind: "literal";
      readonly value: string | number | bigint | NumberText | boolean | null;
    }
  | JsonPathQuery
  | JsonPathCall;

/** The functions of RFC 9535: what each takes, and whether it gives a value or a condition. */
const FUNCTIONS = {
  length: { takes: ["value"], gives: "value" },
  count: { takes: ["nodes"], gives: "value" },
  value: { takes: ["nodes"], gives: "value" },
  match: { takes: ["value", "value"], gives: "condition" },
  search: { takes: ["value", "value"], gives: "condition" },
} as const;

type FunctionName = keyof typeof FUNCTIONS;

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
 * Parses a JSONPath (RFC 9535). As in JSONPath Plus, which VS Code's REST Client uses, `===` and `!==` are accepted, and
 * names without quotes that begin with a digit or contain `-` or a colon.
 *
 * Written by hand because a wrong match sends a wrong request: jsonpath-rfc9535 1.3 reads
 * `a && b && c` as `a && (b || c)`, and json-p3 2.3 compares long integers as doubles and overflows the
 * stack on deep JSON.
 *
 *     path     = "$" { segment }
 *     segment  = ( "." | ".." ) ( property | "*" ) | [ ".." ] "[" selector { "," selector } "]"
 *     selector = quoted | index | slice | "*" | "?" test
 *     test     = test ( "&&" | "||" ) test | [ "!" ] ( "(" test ")" | query | call ) | operand operator operand
 *     operand  = quoted | number | "true" | "false" | "null" | query | call
 *     query    = ( "@" | "$" ) { segment }
 *     call     = name "(" [ operand { "," operand } ] ")"
 *
 * @param text The text to read from.
 * @param dollar The index of the `$`.
 * @param blanks What may stand between its parts: within a line no line break.
 * @returns The path and the index after it.
 * @throws {JsonPathFault} It is not a JSONPath.
 */
export function parseJsonPath(
  text: string,
  dollar: number,
  blanks = " \t",
): { readonly path: JsonPath; readonly end: number } {
  const parser = new JsonPathParser(text, dollar + 1, blanks);
  return { path: parser.segments(), end: parser.at };
}

/** Whether a path leads to one place at most: it has nothing but names and indexes. */
export function isSingular(path: JsonPath): boolean {
  return path.every(
    ({ deep, selectors: [only, ...more] }) =>
      !deep && more.length === 0 && (only?.kind === "name" || only?.kind === "index"),
  );
}

/** Limits nested parentheses and filters, so that a hostile path cannot overflow the stack. */
const DEPTH_LIMIT = 32;

/** RFC 9535 has names that begin with a digit, and `content-type` and `cmis:objectId`, in quotes. */
const PROPERTY =
  /[\w\u{80}-\u{D7FF}\u{E000}-\u{10FFFF}-]+(?::[\w\u{80}-\u{D7FF}\u{E000}-\u{10FFFF}-]+)*/uy;
/** A text in quotes: no control character, and surrogates in pairs only. */
const INSIDE = String.raw`[^\\QUOTE\u0000-\u001F\p{Cs}]|\\(?:[\\/bfnrtQUOTE]|u(?:[\dA-Ca-cEFef][\dA-Fa-f]{3}|[Dd][0-7][\dA-Fa-f]{2}|[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}))`;
const [DOUBLE_QUOTED, SINGLE_QUOTED] = ['"', "'"].map(
  (quote) => new RegExp(`${quote}(?:${INSIDE.replaceAll("QUOTE", quote)})*${quote}`, "uy"),
) as [RegExp, RegExp];

const OPERATORS = ["===", "!==", "==", "!=", "<=", ">=", "<", ">"];

/** A parser by recursive descent: one method for each rule of the grammar. */
class JsonPathParser {
  readonly #text: string;
  readonly #blanks: string;
  at: number;
  #depth = 0;

  constructor(text: string, at: number, blanks: string) {
    this.#text = text;
    this.#blanks = blanks;
    this.at = at;
  }

  segments(): JsonPath {
    const path: JsonPathSegment[] = [];
    for (;;) {
      const end = this.at;
      // A placeholder ends in `[]` if it stands for the list of all values.
      const mark = this.#text.startsWith("[]", end) ? undefined : this.#take("..", ".", "[");
      if (mark === undefined) {
        // Blanks after it are not a part of it.
        this.at = end;
        return path;
      }
      const deep = mark === "..";
      const isBracket = mark === "[" || (deep && this.#next("[") !== undefined);
      path.push({ deep, selectors: isBracket ? this.#brackets() : [this.#property()] });
    }
  }

  #property(): JsonPathSelector {
    if (this.#next("*") !== undefined) return { kind: "all" };
    const name = this.#nextMatch(PROPERTY) ?? this.#fail('a property name or "*"');
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
    if (this.#match(/!(?!=)/y) !== undefined) {
      const test = this.#parentheses() ?? this.#condition(this.#operand());
      return { kind: "not", test };
    }
    const test = this.#parentheses();
    if (test !== undefined) return test;
    this.#skipBlanks();
    const start = this.at;
    const left = this.#operand();
    const written = this.#take(...OPERATORS);
    if (written === undefined) return this.#condition(left);
    this.#expectValue(left, start);
    const operator = written.replace(/^([!=]=)=$/, "$1") as JsonPathOperator;
    return { kind: "compare", operator, left, right: this.#value() };
  }

  #parentheses(): JsonPathTest | undefined {
    if (this.#take("(") === undefined) return undefined;
    const test = this.#nested(() => this.#either());
    if (this.#take(")") === undefined) this.#fail('"&&", "||" or ")"');
    return test;
  }

  /** What is no comparison: whether a path selects something, or a function that says yes or no. */
  #condition(operand: JsonPathOperand): JsonPathTest {
    if (operand.kind === "path") return { kind: "is", query: operand };
    if (operand.kind === "call" && FUNCTIONS[operand.name].gives === "condition") return operand;
    return this.#fail("a comparison");
  }

  /** What can be compared: one value. */
  #value(): JsonPathOperand {
    this.#skipBlanks();
    const start = this.at;
    return this.#expectValue(this.#operand(), start);
  }

  #expectValue(operand: JsonPathOperand, start: number): JsonPathOperand {
    const isMany = operand.kind === "path" && !isSingular(operand.path);
    if (isMany) this.#fail("a path to one value, of names and indexes", start);
    if (operand.kind === "call" && FUNCTIONS[operand.name].gives !== "value") {
      this.#fail(`a value, which ${operand.name} does not give`, start);
    }
    return operand;
  }

  #operand(): JsonPathOperand {
    const from = this.#take("@", "$");
    if (from !== undefined) {
      return { kind: "path", from: from as "@" | "$", path: this.#nested(() => this.segments()) };
    }
    const string = this.#quoted();
    if (string !== undefined) return { kind: "literal", value: string };
    const name = this.#match(/[a-z]+(?=\()/y);
    if (name !== undefined) return this.#nested(() => this.#call(name));
    const word = this.#match(
      /(?:true|false|null)(?![\w-])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y,
    );
    if (word === undefined) return this.#fail("@, $, a quoted text, a number or a function");
    return {
      kind: "literal",
      value: /\d/.test(word) ? parseWrittenNumber(word) : JSON.parse(word),
    };
  }

  #call(name: string): JsonPathOperand {
    if (!Object.hasOwn(FUNCTIONS, name)) {
      this.#fail(`one of the functions ${Object.keys(FUNCTIONS).join(", ")}`);
    }
    const { takes } = FUNCTIONS[name as FunctionName];
    this.#take("(");
    const operands = takes.map((kind, at) => {
      if (at > 0 && this.#take(",") === undefined) this.#fail(`"," and the next value of ${name}`);
      if (kind === "value") return this.#value();
      const operand = this.#operand();
      return operand.kind === "path" ? operand : this.#fail("a path from @ or $");
    });
    const [, pattern] = operands;
    if (pattern?.kind === "literal" && !isRegexp(pattern.value)) {
      this.#fail("a regular expression (RFC 9485)");
    }
    if (this.#take(")") === undefined) this.#fail('")"');
    return { kind: "call", name: name as FunctionName, operands };
  }

  #integer(): number | undefined {
    const digits = this.#match(/(?:0|-?[1-9]\d{0,15})(?!\d)/y);
    if (digits === undefined) return undefined;
    const index = Number(digits);
    return Number.isSafeInteger(index) ? index : this.#fail("an index of at most 2^53 - 1");
  }

  #quoted(): string | undefined {
    const written = this.#match(DOUBLE_QUOTED) ?? this.#match(SINGLE_QUOTED);
    if (written === undefined || written.startsWith('"')) return written && JSON.parse(written);
    const inner = written.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"');
    return JSON.parse(`"${inner}"`);
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
    return this.#next(...words);
  }

  #next(...words: readonly string[]): string | undefined {
    const word = words.find((one) => this.#text.startsWith(one, this.at));
    this.at += word?.length ?? 0;
    return word;
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipBlanks();
    return this.#nextMatch(pattern);
  }

  #nextMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  #skipBlanks(): void {
    const blanks = this.#blanks;
    while (this.at < this.#text.length && blanks.includes(this.#text[this.at] ?? "")) this.at += 1;
  }

  #fail(wanted: string, at = this.at): never {
    throw new JsonPathFault(at, wanted);
  }
}

/** A text or anything else, which no value matches, but not a text that is no regular expression. */
function isRegexp(value: unknown): boolean {
  return typeof value !== "string" || compileRegexp(value) !== undefined;
}
