import { isNumberText } from "./block.ts";
import { classNameOf, cutText, dateText, opaqueText, titleOf } from "./compact.ts";
import { UNREDACTED } from "./view-context.ts";

const LENGTH = 4_000;
const ITEMS = 100;
const DEEPEST = 3;

/** Converts a value to text, as a console does: `compact` asks for one line. */
export type Inspect = (value: unknown, options?: { readonly compact?: boolean }) => string;

/**
 * Converts a value to text on one line, similar to a console. It is for hosts without such a function; on Node,
 * pass `util.inspect`.
 */
export function inspectPlainly(value: unknown): string {
  return cutText(inspectLevel(value, 0, []), LENGTH);
}

function inspectLevel(value: unknown, depth: number, parents: readonly object[]): string {
  if (typeof value === "string")
    return depth === 0 ? value : JSON.stringify(cutText(value, LENGTH));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return opaqueText(value, UNREDACTED) ?? "";
  if (typeof value !== "object" || value === null)
    return Object.is(value, -0) ? "-0" : String(value);
  if (parents.includes(value)) return "[Circular]";
  if (isNumberText(value)) return value.toString();
  if (value instanceof Date) return dateText(value);
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) {
    const items = value as unknown as Iterable<unknown> & { length: number };
    const shown = listed(items, items.length, String);
    return `${classNameOf(value)}(${items.length}) ${around("[", shown, "]")}`;
  }
  const opaque = opaqueText(value, UNREDACTED);
  if (opaque !== undefined) return opaque;
  const name = titleOf(value);
  if (depth >= DEEPEST)
    return Array.isArray(value) ? "[Array]" : `[${name === "" ? "Object" : name}]`;
  const inner = (item: unknown): string => inspectLevel(item, depth + 1, [...parents, value]);
  if (Array.isArray(value)) return around("[", listed(value, value.length, inner), "]");
  if (value instanceof Map) {
    const pairs = listed(value, value.size, ([key, item]) => `${inner(key)} => ${inner(item)}`);
    return `${name} ${around("{", pairs, "}")}`;
  }
  if (value instanceof Set) return `${name} ${around("{", listed(value, value.size, inner), "}")}`;
  const keys = Object.keys(value);
  const fields = listed(keys, keys.length, (key) => {
    const shown = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key);
    return `${shown}: ${inner(Reflect.get(value, key))}`;
  });
  return (name === "" ? "" : `${name} `) + around("{", fields, "}");
}

function listed<Item>(
  items: Iterable<Item>,
  total: number,
  show: (item: Item) => string,
): string[] {
  const shown: string[] = [];
  for (const item of items) {
    if (shown.length === ITEMS) break;
    shown.push(show(item));
  }
  return total > shown.length ? [...shown, `… ${total - shown.length} more`] : shown;
}

function around(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return open + close;
  const blank = open === "{" ? " " : "";
  return `${open}${blank}${items.join(", ")}${blank}${close}`;
}
