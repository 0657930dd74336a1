import {
  type JsonPath,
  JsonPathFault,
  type JsonPathOperand,
  type JsonPathOperator,
  type JsonPathSegment,
  type JsonPathSelector,
  type JsonPathTest,
  parseJsonPath,
  type SliceSelector,
} from "./json-path.ts";
import { isDate, isNumberText, type Value } from "./value.ts";
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
  return follow([root], parseJsonPath(query, 0).path, { root, read });
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
  const isOne = path.every(
    ({ deep, selectors: [only, ...more] }) =>
      !deep && more.length === 0 && (only?.kind === "name" || only?.kind === "index"),
  );
  return isOne ? found[0] : found;
}

function parseWhole(query: string): JsonPath {
  const fail = (reason: string): SyntaxError =>
    new SyntaxError(`Cannot read the JSONPath "${query}": ${reason}`);
  try {
    const { path, end } = parseJsonPath(query, 0);
    if (end === query.length) return path;
    throw fail(`unexpected text "${query.slice(end)}"`);
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
      if (isObject(node) && Object.hasOwn(node, selector.name)) {
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
      // RFC 9535 tests existence, JSONPath Plus truth; existing files are written for JSONPath Plus.
      return isTruthy(operandValue(test.operand, node, source));
    case "compare":
      return COMPARE[test.operator](
        operandValue(test.left, node, source),
        operandValue(test.right, node, source),
      );
  }
}

function operandValue(operand: JsonPathOperand, node: Value, source: Source): Value | undefined {
  if (operand.kind === "literal") return operand.value;
  const start = operand.from === "@" ? node : source.root;
  for (const found of follow([start], operand.path, source)) return found;
  return undefined;
}

function isTruthy(value: Value | undefined): boolean {
  return Boolean(toComparable(value));
}

type Side = Value | undefined;

const COMPARE: { readonly [O in JsonPathOperator]: (left: Side, right: Side) => boolean } = {
  "==": isEqual,
  "!=": (left, right) => !isEqual(left, right),
  "<": (left, right) => isBefore(left, right),
  "<=": (left, right) => isBefore(left, right) || isEqual(left, right),
  ">": (left, right) => isBefore(right, left),
  ">=": (left, right) => isBefore(right, left) || isEqual(left, right),
};

/** Arrays and objects equal nothing; numbers are equal in whatever form they are stored. */
function isEqual(left: Side, right: Side): boolean {
  const one = toComparable(left);
  return one === toComparable(right) && (typeof one !== "object" || one === null);
}

function isBefore(left: Side, right: Side): boolean {
  const [one, other] = [toComparable(left), toComparable(right)];
  const kind = kindOf(one);
  return kind !== undefined && kind === kindOf(other) && (one as number) < (other as number);
}

function kindOf(value: Side): "text" | "number" | undefined {
  if (typeof value === "string") return "text";
  return typeof value === "number" || typeof value === "bigint" ? "number" : undefined;
}

/** Converts dates to text and numbers to one form that keeps their digits. */
function toComparable(value: Side): Side {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (isDate(value)) return value.toISOString();
  return isNumberText(value) ? toComparable(value.valueOf()) : value;
}

function childrenOf(value: Value, read: Read): readonly Value[] {
  if (Array.isArray(value)) {
    return read === asStored ? value : value.map((item: Value, index) => read(value, index, item));
  }
  return isObject(value) ? writtenEntries(value).map(([key, one]) => read(value, key, one)) : [];
}

function isObject(value: Side): value is { readonly [key: string]: Value } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !isDate(value) &&
    !isNumberText(value)
  );
}
