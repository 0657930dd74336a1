import { compareNumbers, isJsonNumber } from "./decimal.ts";
import { compileRegexp, type Regexp } from "./i-regexp.ts";
import {
  isSingular,
  type JsonPath,
  type JsonPathCall,
  JsonPathFault,
  type JsonPathOperand,
  type JsonPathOperator,
  type JsonPathQuery,
  type JsonPathSegment,
  type JsonPathSelector,
  type JsonPathTest,
  parseJsonPath,
  type SliceSelector,
} from "./json-path.ts";
import { isDate, isObjectValue, type Value } from "./value.ts";
import { type NumberText, writtenEntries } from "./written.ts";

/**
 * The key of the value that a JSONPath on an object applies to, when that is not the object itself: the
 * body of a response.
 */
export const jsonPathRoot: unique symbol = Symbol.for("restlab.jsonPathRoot");

/** What becomes of a member of an object, or an item of a list, that is read. */
export type Read = <T extends Value | undefined>(
  owner: object,
  key: string | number,
  value: T,
) => T | NumberText;

/** Reads a member as it is stored. */
export const asStored: Read = (_owner, _key, value) => value;

/** What a JSONPath is applied to. */
interface Source {
  readonly root: Value;
  readonly read: Read;
  /** What a path alone says in a filter of what it selects; by RFC 9535 that it is there. */
  readonly isThere?: (value: Value) => boolean;
}

/**
 * Finds a value that the JSONPath of a placeholder selects, in the order of RFC 9535. Only own properties are read, and
 * nothing after that value. A query that ends in `[]` selects the list of all values.
 *
 * @param match Its number; the first by default.
 * @returns The value, or `undefined` when nothing matches.
 */
export function selectMatch(
  value: Value,
  query: string,
  match = 0,
  read: Read = asStored,
): Value | undefined {
  if (query.endsWith("[]")) return [...matchesOf(value, query, read)];
  let at = 0;
  for (const found of matchesOf(value, query, read)) if (at++ === match) return found;
  return undefined;
}

/** How many values the JSONPath of a placeholder selects. */
export function countMatches(value: Value, query: string): number {
  return [...matchesOf(value, query)].length;
}

function matchesOf(value: Value, query: string, read = asStored): Iterable<Value> {
  const root = (value as { readonly [jsonPathRoot]?: Value } | null)?.[jsonPathRoot] ?? value;
  // JSONPath Plus tests truth, and existing files are written for it.
  return follow([root], parseJsonPath(query, 0).path, { root, read, isThere: isTruthy });
}

/**
 * Selects by a JSONPath.
 *
 * @returns All values that match, in the order of RFC 9535.
 * @throws {SyntaxError} The JSONPath is not valid.
 */
export function selectAll(value: Value, query: string): readonly Value[] {
  return [...follow([value], parseWhole(query), { root: value, read: asStored })];
}

/**
 * Selects by a JSONPath as most libraries do: the value of a path that names one, else the list of all values that
 * match.
 *
 * @returns The value, `undefined` if a path that names one finds none, or a list.
 * @throws {SyntaxError} The JSONPath is not valid.
 */
export function selectJson(value: Value, query: string): Value | undefined {
  const path = parseWhole(query);
  const found = [...follow([value], path, { root: value, read: asStored })];
  return isSingular(path) ? found[0] : found;
}

function parseWhole(query: string): JsonPath {
  const fail = (reason: string): SyntaxError =>
    new SyntaxError(`Cannot read the JSONPath "${query}": ${reason}`);
  try {
    const { path, end } = parseJsonPath(query, 0, " \t\r\n");
    if (end === query.length && query.startsWith("$")) return path;
    throw fail(end < query.length ? `unexpected text "${query.slice(end)}"` : 'expected "$"');
  } catch (error) {
    if (error instanceof JsonPathFault) throw fail(`expected ${error.expected}`);
    throw error;
  }
}

function follow(values: Iterable<Value>, path: JsonPath, source: Source): Iterable<Value> {
  return path.reduce((current, segment) => take(current, segment, source), values);
}

function* take(
  values: Iterable<Value>,
  { deep, selectors }: JsonPathSegment,
  source: Source,
): Generator<Value> {
  for (const value of values) {
    for (const node of deep ? withDescendants(value) : [value]) {
      for (const selector of selectors) yield* select(node, selector, source);
    }
  }
}

/** A value and all its descendants, parents first; iterative, since JSON may be deep. */
function* withDescendants(value: Value): Generator<Value> {
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (const child of childrenOf(next, asStored).toReversed()) waiting.push(child);
  }
}

function* select(node: Value, selector: JsonPathSelector, source: Source): Generator<Value> {
  const { read } = source;
  switch (selector.kind) {
    case "name":
      if (isObjectValue(node) && Object.hasOwn(node, selector.name)) {
        yield read(node, selector.name, node[selector.name] as Value);
      }
      return;
    case "index":
      if (Array.isArray(node)) {
        const index = selector.index < 0 ? node.length + selector.index : selector.index;
        const found = (node as readonly Value[])[index];
        if (found !== undefined) yield read(node, index, found);
      }
      return;
    case "all":
      yield* childrenOf(node, read);
      return;
    case "slice":
      if (Array.isArray(node)) yield* slice(node, selector, read);
      return;
    case "filter":
      for (const child of childrenOf(node, read)) {
        if (matches(selector.test, child, source)) yield child;
      }
  }
}

/** Selects a slice (RFC 9535, 2.3.4.2.2). */
function* slice(
  list: readonly Value[],
  { start, end, step }: SliceSelector,
  read: Read,
): Generator<Value> {
  if (step === 0) return;
  const { length } = list;
  const bound = (index: number, least: number, most: number): number =>
    Math.min(Math.max(index < 0 ? length + index : index, least), most);
  if (step > 0) {
    const last = bound(end ?? length, 0, length);
    for (let at = bound(start ?? 0, 0, length); at < last; at += step)
      yield read(list, at, list[at] as Value);
  } else {
    const last = end === undefined ? -1 : bound(end, -1, length - 1);
    const first = bound(start ?? length - 1, -1, length - 1);
    for (let at = first; at > last; at += step) yield read(list, at, list[at] as Value);
  }
}

function matches(test: JsonPathTest, node: Value, source: Source): boolean {
  switch (test.kind) {
    case "or":
      return test.tests.some((one) => matches(one, node, source));
    case "and":
      return test.tests.every((one) => matches(one, node, source));
    case "not":
      return !matches(test.test, node, source);
    case "is":
      return someOf(test.query, node, source);
    case "call":
      return matchesPattern(test, node, source);
    case "compare":
      return COMPARE[test.operator](
        operandValue(test.left, node, source),
        operandValue(test.right, node, source),
      );
  }
}

function nodesOf({ from, path }: JsonPathQuery, node: Value, source: Source): Iterable<Value> {
  return follow([from === "@" ? node : source.root], path, source);
}

function someOf(query: JsonPathQuery, node: Value, source: Source): boolean {
  for (const found of nodesOf(query, node, source)) {
    return source.isThere === undefined || source.isThere(found);
  }
  return false;
}

/** The latest expression, which is usually that of the next value as well. */
let latest: { readonly pattern: string; readonly regexp: Regexp | undefined } | undefined;

/** `match` is about the whole text, `search` about a part of it; an invalid expression matches nothing. */
function matchesPattern({ name, operands }: JsonPathCall, node: Value, source: Source): boolean {
  const [text, pattern] = operands.map((one) => operandValue(one, node, source));
  if (typeof text !== "string" || typeof pattern !== "string") return false;
  if (pattern !== latest?.pattern) latest = { pattern, regexp: compileRegexp(pattern) };
  const { regexp } = latest;
  return (name === "match" ? regexp?.matches(text) : regexp?.isIn(text)) === true;
}

function operandValue(operand: JsonPathOperand, node: Value, source: Source): Value | undefined {
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "call") return callValue(operand, node, source);
  for (const found of nodesOf(operand, node, source)) return found;
  return undefined;
}

/** The value of `length`, `count` or `value`; RFC 9535, 2.4.4 to 2.4.8. */
function callValue(
  { name, operands: [operand] }: JsonPathCall,
  node: Value,
  source: Source,
): Value | undefined {
  if (operand === undefined) return undefined;
  if (name === "length") return lengthOf(toComparable(operandValue(operand, node, source)));
  const nodes = [...nodesOf(operand as JsonPathQuery, node, source)];
  if (name === "count") return nodes.length;
  return nodes.length === 1 ? nodes[0] : undefined;
}

/** The length of a text in characters of Unicode, of a list, or of an object in members. */
function lengthOf(value: Side): number | undefined {
  if (typeof value === "string") return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isObjectValue(value) ? Object.keys(value).length : undefined;
}

function isTruthy(value: Value): boolean {
  return isJsonNumber(value) ? Number(value) !== 0 : Boolean(value);
}

type Side = Value | undefined;

const COMPARE: { readonly [O in JsonPathOperator]: (left: Side, right: Side) => boolean } = {
  "==": equalValues,
  "!=": (left, right) => !equalValues(left, right),
  "<": (left, right) => isBefore(left, right),
  "<=": (left, right) => isBefore(left, right) || equalValues(left, right),
  ">": (left, right) => isBefore(right, left),
  ">=": (left, right) => isBefore(right, left) || equalValues(left, right),
};

/** Whether two values are equal (RFC 9535, 2.3.5.2.2): numbers by their digits, objects in any order of members. */
export function equalValues(left: Side, right: Side): boolean {
  const waiting: (readonly [Side, Side])[] = [[left, right]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [one, other] = pair.map(toComparable);
    if (one === other) continue;
    if (isJsonNumber(one) && isJsonNumber(other)) {
      if (compareNumbers(one, other) !== 0) return false;
    } else if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return false;
      for (const [at, item] of one.entries()) waiting.push([item, other[at]]);
    } else if (isObjectValue(one) && isObjectValue(other)) {
      const names = Object.keys(one);
      if (names.length !== Object.keys(other).length) return false;
      if (!names.every((name) => Object.hasOwn(other, name))) return false;
      for (const name of names) waiting.push([one[name], other[name]]);
    } else return false;
  }
  return true;
}

function isBefore(left: Side, right: Side): boolean {
  const [one, other] = [toComparable(left), toComparable(right)];
  if (typeof one === "string" && typeof other === "string") return isTextBefore(one, other);
  return isJsonNumber(one) && isJsonNumber(other) && compareNumbers(one, other) < 0;
}

/** By characters of Unicode: as texts of JavaScript, U+10000 and above come before U+E000. */
function isTextBefore(one: string, other: string): boolean {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at < 0) return left.length < right.length;
  return (left[at]?.codePointAt(0) ?? 0) < (right[at]?.codePointAt(0) ?? 0);
}

/** A date is its text. */
function toComparable(value: Side): Side {
  return typeof value === "object" && isDate(value) ? value.toISOString() : value;
}

function childrenOf(value: Value, read: Read): readonly Value[] {
  if (Array.isArray(value)) {
    return read === asStored ? value : value.map((item: Value, index) => read(value, index, item));
  }
  return isObjectValue(value)
    ? writtenEntries(value).map(([key, one]) => read(value, key, one))
    : [];
}
