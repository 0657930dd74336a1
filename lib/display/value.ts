import { contentOf, type Exchange, isReceived } from "../exchange/mod.ts";
import type { Block, Lens } from "./blocks/mod.ts";
import {
  compactJson,
  formatBytes,
  isRecord,
  isScalar,
  tagOf,
  viewStructure,
} from "./blocks/mod.ts";
import { holdSecret, toHexDump } from "./bodies/mod.ts";
import { viewHeaders } from "./exchange.ts";

/**
 * Displays a value of a program; without blocks if plain text is enough: scalars, functions, promises, empty
 * values.
 */
export function viewValue(value: unknown, lens: Lens): readonly Block[] {
  if (isScalar(value) || typeof value !== "object" || value === null) return [];
  const view = Object.hasOwn(VIEWS, tagOf(value)) ? VIEWS[tagOf(value)] : undefined;
  if (view !== undefined) return view(value, lens);
  if (ArrayBuffer.isView(value)) return viewBytes(value, lens);
  const block = viewStructure(value, lens);
  return block.total === 0 ? [] : [block];
}

/** Whether a value is an exchange, also one that another copy of the library created. */
export function isExchange(value: unknown): value is Exchange {
  // Reading the fields of our own would measure its sizes.
  return isReceived(value) || looksLikeExchange(value);
}

/** The number of bytes of a response body, without measuring the headers. */
export function bodyLength(exchange: Exchange): number {
  return contentOf(exchange).length;
}

function looksLikeExchange(value: unknown): boolean {
  return (
    isRecord(value) &&
    isRecord(value["request"]) &&
    typeof value["request"]["url"] === "string" &&
    Array.isArray(value["request"]["headers"]) &&
    typeof value["status"] === "number" &&
    typeof value["statusClass"] === "string" &&
    "bytes" in value &&
    isRecord(value["timing"]) &&
    isRecord(value["sizes"]) &&
    Array.isArray(value["redirects"]) &&
    Array.isArray(value["warnings"])
  );
}

type ValueView = (value: object, lens: Lens) => readonly Block[];

const none: ValueView = () => [];

/** Views by tag, which is the same across realms. */
const VIEWS: Readonly<Record<string, ValueView | undefined>> = {
  Map: (value, lens) => viewMap(value as Map<unknown, unknown>, lens),
  Set: (value, lens) => viewSet(value as Set<unknown>, lens),
  Headers: (value, lens) => [viewHeaders("Headers", [...(value as Headers)], lens)],
  RegExp: none,
  URL: none,
  Promise: none,
  WeakMap: none,
  WeakSet: none,
  WeakRef: none,
};

function viewMap(map: Map<unknown, unknown>, lens: Lens): readonly Block[] {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of first(map, lens.limits.fields)) {
    const name = typeof key === "string" ? key : compactJson(key, lens.limits.cell, lens.redactor);
    object[name] = value;
  }
  return map.size === 0 ? [] : [{ ...viewStructure(object, lens), total: map.size }];
}

function viewSet(set: Set<unknown>, lens: Lens): readonly Block[] {
  const items = [...first(set, lens.limits.rows)];
  return set.size === 0 ? [] : [{ ...viewStructure(items, lens), total: set.size }];
}

function* first<Item>(items: Iterable<Item>, count: number): Iterable<Item> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

function viewBytes(view: ArrayBufferView, lens: Lens): readonly Block[] {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const shown = bytes.subarray(0, lens.limits.hex);
  const size: Block = { kind: "note", level: "info", text: formatBytes(bytes.length) };
  if (!holdSecret(shown, lens.hide))
    return [size, { kind: "text", text: toHexDump(shown), isDrawing: true }];
  return [
    size,
    { kind: "note", level: "info", text: "The bytes contain a secret and are not shown" },
  ];
}
