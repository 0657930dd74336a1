import { contentOf, type Exchange, holdSecret, isReceived } from "../exchange/mod.ts";
import { isRecord } from "../interpolation/mod.ts";
import { type Block, type FieldsBlock, type TableBlock, tagOf } from "./block.ts";
import { isScalar } from "./cell.ts";
import { compactJson, cutText, titleOf } from "./compact.ts";
import { viewHeaders } from "./exchange.ts";
import { toHexDump } from "./media-view.ts";
import { isShortList, viewStructure } from "./structure.ts";
import { formatBytes } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

/**
 * Displays a value of a program; without blocks if plain text is enough: scalars, short lists of them,
 * functions, promises, empty values.
 */
export function viewValue(value: unknown, context: ViewContext): readonly Block[] {
  if (typeof value !== "object" || value === null) return [];
  if (ArrayBuffer.isView(value)) return viewBytes(value, context);
  if (isScalar(value) || isShortList(value)) return [];
  const view = Object.hasOwn(VIEWS, tagOf(value)) ? VIEWS[tagOf(value)] : undefined;
  if (view !== undefined) return view(value, context);
  return titled(value, viewStructure(value, context), context);
}

/** Writes the name of a class above the members of its object. */
function titled(value: object, block: FieldsBlock | TableBlock, context: ViewContext): Block[] {
  if (block.total === 0) return [];
  const text = cutText(context.redact(titleOf(value)), context.limits.cell);
  return text === "" ? [block] : [{ kind: "note", level: "info", text }, block];
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

type ValueView = (value: object, context: ViewContext) => readonly Block[];

/** Views by tag, which is the same across realms. */
const VIEWS: Readonly<Record<string, ValueView | undefined>> = {
  Map: (value, context) => viewMap(value as Map<unknown, unknown>, context),
  Set: (value, context) => viewSet(value as Set<unknown>, context),
  Headers: (value, context) => viewHeaders("Headers", [...(value as Headers)], context),
};

function viewMap(map: Map<unknown, unknown>, context: ViewContext): readonly Block[] {
  const object: Record<string, unknown> = Object.create(null);
  const shown = [...first(map, context.limits.fields)];
  const toJson = (key: unknown): string => compactJson(key, context.limits.cell, context.redactor);
  const others = new Set(shown.flatMap(([key]) => (typeof key === "string" ? [] : [toJson(key)])));
  for (const [key, value] of shown) {
    // Beside the key 1, the key "1" is in quotes.
    let name = typeof key === "string" && !others.has(key) ? key : toJson(key);
    // Two objects may be written alike.
    while (name in object) name += " ";
    object[name] = value;
  }
  return titled(map, { ...viewStructure(object, context), total: map.size }, context);
}

function viewSet(set: Set<unknown>, context: ViewContext): readonly Block[] {
  const items = [...first(set, context.limits.rows)];
  return titled(set, { ...viewStructure(items, context), total: set.size }, context);
}

function* first<Item>(items: Iterable<Item>, count: number): Iterable<Item> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

function viewBytes(view: ArrayBufferView, context: ViewContext): readonly Block[] {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const shown = bytes.subarray(0, context.limits.hex);
  const size: Block = { kind: "note", level: "info", text: formatBytes(bytes.length) };
  if (!holdSecret(shown, context.redact))
    return [size, { kind: "text", text: toHexDump(shown), isDrawing: true }];
  return [
    size,
    { kind: "note", level: "info", text: "The bytes contain a secret and are not shown" },
  ];
}
