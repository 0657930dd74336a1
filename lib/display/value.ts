import { contentOf, type Exchange, holdSecret, isReceived } from "../exchange/mod.ts";
import {
  dataOf,
  findProperty,
  isRecord,
  itemsOf,
  objectOf,
  sizeOf,
  tagOf,
} from "../interpolation/mod.ts";
import { entriesOf } from "../secrets/mod.ts";
import type { Block, FieldsBlock, TableBlock } from "./block.ts";
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
  if (isHeaders(value)) return viewHeaders("Headers", [...value], context);
  const view = Object.hasOwn(VIEWS, tagOf(value)) ? VIEWS[tagOf(value)] : undefined;
  if (view !== undefined) return view(value, context);
  return titled(value, viewStructure(value, context), context);
}

/** Writes the name of a class above the members of its object. */
function titled(value: object, block: FieldsBlock | TableBlock, context: ViewContext): Block[] {
  if (block.total === 0) return [];
  const text = cutText(context.redactor.text(titleOf(value)), context.limits.cell);
  return text === "" ? [block] : [{ kind: "note", level: "info", text }, block];
}

/** Whether a value is a list of headers, also of another realm. */
export function isHeaders(value: unknown): value is Headers {
  return tagOf(value) === "Headers" && typeof dataOf(value, Symbol.iterator) === "function";
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

const OF_EXCHANGE = "request status statusClass bytes timing sizes redirects warnings".split(" ");

function looksLikeExchange(value: unknown): boolean {
  return (
    // They are getters, and those of any other object are not called.
    OF_EXCHANGE.every((name) => findProperty(value, name) !== undefined) &&
    isRecord(value) &&
    isRecord(value["request"]) &&
    typeof value["request"]["url"] === "string" &&
    Array.isArray(value["request"]["headers"]) &&
    typeof value["status"] === "number" &&
    typeof value["statusClass"] === "string" &&
    isRecord(value["timing"]) &&
    isRecord(value["sizes"]) &&
    Array.isArray(value["redirects"]) &&
    Array.isArray(value["warnings"])
  );
}

type ValueView = (value: object, context: ViewContext) => readonly Block[];

/** Views by tag, which is the same across realms. */
const VIEWS: Readonly<Record<string, ValueView | undefined>> = {
  Map: viewEntries,
  URLSearchParams: viewEntries,
  FormData: viewEntries,
  Set: (value, context) => viewSet(value as Set<unknown>, context),
};

function viewEntries(value: object, context: ViewContext): readonly Block[] {
  const named = new Map<string, unknown>();
  const entries = [...entriesOf(value)];
  const shown = entries.slice(0, context.limits.fields);
  const toJson = (key: unknown): string => compactJson(key, context.limits.cell, context.redactor);
  const others = new Set(shown.flatMap(([key]) => (typeof key === "string" ? [] : [toJson(key)])));
  for (const [key, value] of shown) {
    // Beside the key 1, the key "1" is in quotes.
    let name = typeof key === "string" && !others.has(key) ? key : toJson(key);
    // Two objects may be written alike, and a parameter may be repeated.
    while (named.has(name)) name += " ";
    named.set(name, value);
  }
  return titled(
    value,
    { ...viewStructure(objectOf([...named]), context), total: entries.length },
    context,
  );
}

function viewSet(set: Set<unknown>, context: ViewContext): readonly Block[] {
  const items = [...itemsOf(set, context.limits.rows)];
  return titled(set, { ...viewStructure(items, context), total: sizeOf(set) }, context);
}

function viewBytes(view: ArrayBufferView, context: ViewContext): readonly Block[] {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const shown = bytes.subarray(0, context.limits.hex);
  const size: Block = { kind: "note", level: "info", text: formatBytes(bytes.length) };
  if (!holdSecret(shown, context.redactor.text))
    return [size, { kind: "text", text: toHexDump(shown), isDrawing: true }];
  return [
    size,
    { kind: "note", level: "info", text: "The bytes contain a secret and are not shown" },
  ];
}
