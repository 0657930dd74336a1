import { parseWrittenNumber, type Value } from "../../interpolation/mod.ts";

/** A part of a JSON text, and the line on which it begins, from 1. */
export type JsonNode =
  | { readonly kind: "value"; readonly line: number; readonly value: Value }
  | { readonly kind: "object"; readonly line: number; readonly entries: JsonEntries }
  /** It cannot be read; what surrounds it can. */
  | { readonly kind: "broken"; readonly line: number; readonly problem: string };

export type JsonEntries = ReadonlyMap<string, JsonNode>;

const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const WORD = /'[^'\n]*'|[^\s,\]}]+/y;
/** What may follow the first word of a value that is not one. */
const REST = /[^,\]}\n]*/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const DEPTH_LIMIT = 200;

/**
 * Reads a JSON file that a person wrote: with comments, with commas before a closing brace, and with a text
 * for each number. A value that cannot be read is a node of its own; no message quotes the text, which may
 * be a secret.
 *
 * @throws {SyntaxError} Its braces or names cannot be read; the message names the line.
 */
export function parseCommentedJson(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.readNode(0);
  // What is no JSON at all is better told as a whole.
  if (node.kind === "object") reader.expectEnd();
  return node;
}

/**
 * The value of a part.
 *
 * @throws {SyntaxError} It, or something in it, cannot be read.
 */
export function valueOfNode(node: JsonNode): Value {
  if (node.kind === "value") return node.value;
  if (node.kind === "broken") throw new SyntaxError(node.problem);
  return Object.fromEntries(
    Array.from(node.entries, ([key, inner]) => [key, valueOfNode(inner)] as const),
  );
}

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  readNode(depth: number): JsonNode {
    this.#skip();
    if (depth > DEPTH_LIMIT) throw this.#fault("it is nested too deeply");
    const line = this.#line;
    if (this.#take("{")) return { kind: "object", line, entries: this.#readEntries(depth) };
    if (this.#take("[")) return this.#readItems(depth, line);
    return this.#readScalar(line);
  }

  expectEnd(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault("something follows its last brace");
  }

  #readEntries(depth: number): JsonEntries {
    const entries = new Map<string, JsonNode>();
    for (;;) {
      this.#skip();
      if (this.#take("}")) return entries;
      if (this.#take(",")) continue;
      const key = parseString(this.#match(STRING) ?? "");
      if (key === undefined) throw this.#fault('a name in double quotes or "}" is missing');
      this.#skip();
      if (!this.#take(":")) throw this.#fault('a ":" is missing');
      const node = this.readNode(depth + 1);
      entries.delete(key);
      entries.set(key, node);
    }
  }

  #readItems(depth: number, line: number): JsonNode {
    const items: Value[] = [];
    let problem: string | undefined;
    for (;;) {
      this.#skip();
      if (this.#take("]")) break;
      if (this.#take(",")) continue;
      if (this.#at >= this.#text.length) throw this.#fault('a "]" is missing');
      const at = this.#at;
      const node = this.readNode(depth + 1);
      if (this.#at === at) throw this.#fault('a "]" is missing');
      try {
        items.push(valueOfNode(node));
      } catch (error) {
        problem ??= (error as Error).message;
      }
    }
    if (problem !== undefined) return { kind: "broken", line, problem };
    return { kind: "value", line, value: items };
  }

  #readScalar(line: number): JsonNode {
    const quoted = this.#match(STRING);
    const string = quoted === undefined ? undefined : parseString(quoted);
    if (string !== undefined) return { kind: "value", line, value: string };
    if (quoted !== undefined) {
      return { kind: "broken", line, problem: 'a "\\" in its value has to be written as "\\\\"' };
    }
    const word = this.#match(WORD) ?? "";
    const value = NUMBER.test(word) ? parseWrittenNumber(word) : WORDS.get(word);
    if (value !== undefined) return { kind: "value", line, value };
    if (word === "") return { kind: "broken", line, problem: "its value is missing" };
    this.#match(REST);
    return { kind: "broken", line, problem: "its value is not valid JSON" };
  }

  #skip(): void {
    const blank = this.#match(BLANK) ?? "";
    for (const character of blank) if (character === "\n") this.#line += 1;
    if (this.#text.startsWith("/*", this.#at)) throw this.#fault("a comment does not end");
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  #fault(problem: string): SyntaxError {
    return new SyntaxError(`${problem} in line ${this.#line}`);
  }
}

function parseString(quoted: string): string | undefined {
  try {
    // Editors accept a tab inside a string.
    return JSON.parse(quoted.replaceAll("\t", "\\t")) as string;
  } catch {
    return undefined; // The caller says what is wrong with it.
  }
}
