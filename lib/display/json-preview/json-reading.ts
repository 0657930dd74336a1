import { createJsonSkip, type JsonSkip } from "./json-skip.ts";
import type { Token } from "./json-token.ts";

/** How much of a JSON text is kept; the rest is only counted. */
export interface HeadLimits {
  /** Items of one array. */
  readonly items: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Bytes of one string. */
  readonly string: number;
  /** Values in all. */
  readonly values: number;
  /** Levels of arrays and objects. */
  readonly depth: number;
}

/** What may come next in a JSON text. */
export type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end" | "nothing";

/** An array or an object that is being read. */
interface Frame {
  readonly container: unknown[] | Record<string, unknown>;
  readonly parent: Frame | undefined;
  readonly depth: number;
  key: string;
  count: number;
  skip: JsonSkip | undefined;
}

/** A JSON text as far as it has been read. */
export interface JsonReading {
  readonly limits: HeadLimits;
  /** The containers that are not kept whole. */
  readonly skipped: Map<object, Frame>;
  root: unknown;
  frame: Frame | undefined;
  expected: Expected;
  /** The number of values kept. */
  kept: number;
  token: Token | undefined;
}

/** Begins the reading of a JSON text. */
export function createReading(limits: HeadLimits): JsonReading {
  return {
    limits,
    skipped: new Map(),
    root: undefined,
    frame: undefined,
    expected: "value",
    kept: 0,
    token: undefined,
  };
}

/** Adds a value that is complete. */
export function placeValue(reading: JsonReading, value: unknown): void {
  if (reading.frame === undefined) reading.root = value;
  else add(reading.frame, value);
  if (typeof value !== "object" || value === null) reading.kept++;
  reading.expected = reading.frame === undefined ? "nothing" : ", or end";
}

/** Begins an array or an object. */
export function openContainer(reading: JsonReading, container: Frame["container"]): void {
  const parent = reading.frame;
  reading.kept++;
  if (parent === undefined) reading.root = container;
  else if (isVisibleAtOnce(parent, container)) add(parent, container);
  const depth = (parent?.depth ?? 0) + 1;
  reading.frame = { container, parent, depth, key: "", count: 0, skip: undefined };
  reading.expected = Array.isArray(container) ? "value or ]" : "key or }";
}

/** Ends the current array or object. */
export function closeContainer(reading: JsonReading): void {
  const { container, parent } = reading.frame as Frame;
  reading.frame = parent;
  if (parent !== undefined && !isVisibleAtOnce(parent, container)) add(parent, container);
  reading.expected = parent === undefined ? "nothing" : ", or end";
}

/** Whether no further item of the current array or object is kept. */
export function isFull({ frame, limits, kept }: JsonReading): boolean {
  if (frame === undefined) return false;
  const most = Array.isArray(frame.container) ? limits.items : limits.keys;
  return frame.depth > limits.depth || kept >= limits.values || frame.count >= most;
}

/** Skips and counts the rest of the current array or object, beginning with one more item. */
export function skipRest({ frame, skipped }: JsonReading): void {
  if (frame === undefined) return;
  frame.count++;
  frame.skip = createJsonSkip();
  skipped.set(frame.container, frame);
}

/** The number of items or keys of a container that is not kept whole, counted so far. */
export function countSkipped({ skipped }: JsonReading, container: object): number | undefined {
  const frame = skipped.get(container);
  return frame && frame.count + (frame.skip?.commas ?? 0);
}

/** A list in an object is visible while it grows; an item of a list only when it is complete. */
function isVisibleAtOnce({ container }: Frame, inner: Frame["container"]): boolean {
  return !Array.isArray(container) || Array.isArray(inner);
}

function add(frame: Frame, value: unknown): void {
  const { container, key } = frame;
  frame.count++;
  if (Array.isArray(container)) container.push(value);
  else if (key === "__proto__") {
    // An assignment would set the prototype instead of a key.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(container, key, property);
  } else container[key] = value;
}
