import { isRecord } from "../../interpolation/mod.ts";
import type { Field, FieldsBlock, TableBlock } from "./block.ts";
import { isScalar, toCell } from "./cell.ts";
import { CIRCULAR, cutText, titleOf } from "./compact.ts";
import { isPlainObject } from "./kinds.ts";
import { lengthOf, NO_ORIGIN, type Origin, pathText, stepInto } from "./origin.ts";
import { viewTable } from "./table.ts";
import { formatCount } from "./units.ts";
import { forMember, type ViewContext } from "./view-context.ts";

/**
 * Displays an object or an array: an array of objects is a table, everything else is keys and values, nested
 * as far as the limits allow.
 */
export function viewStructure(
  value: object,
  context: ViewContext,
  origin: Origin = NO_ORIGIN,
): FieldsBlock | TableBlock {
  const budget = { fields: context.limits.fields, rows: context.limits.table };
  return viewLevel(value, { context, budget, parents: [] }, origin);
}

/** What all levels of a structure together may still show. */
interface Budget {
  fields: number;
  rows: number;
}

interface Place {
  readonly context: ViewContext;
  readonly budget: Budget;
  /** The objects that contain the place. */
  readonly parents: readonly object[];
}

function viewLevel(value: object, outer: Place, origin: Origin): FieldsBlock | TableBlock {
  const place = { ...outer, parents: [...outer.parents, value] };
  if (!Array.isArray(value)) return viewObject(value, place, origin);
  return isTabular(value, place.context.limits.rows)
    ? viewTable(value, place.context, origin, place.budget)
    : viewList(value, place, origin);
}

function viewObject(value: object, place: Place, origin: Origin): FieldsBlock {
  const fields: Field[] = [];
  let total = 0;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    total++;
    if (place.budget.fields <= 0) continue;
    const inside = { ...place, context: forMember(place.context, key) };
    fields.push(viewField(key, Reflect.get(value, key), inside, stepInto(origin, key)));
  }
  const whole = origin.total?.(value) ?? total;
  return { kind: "fields", of: "object", fields, total: whole, ...pathOf(origin, place.context) };
}

function viewList(items: readonly unknown[], place: Place, origin: Origin): FieldsBlock {
  const { context, budget } = place;
  const fields: Field[] = [];
  for (
    let index = 0;
    index < items.length && index < context.limits.rows && budget.fields > 0;
    index++
  ) {
    fields.push(viewField(String(index), items[index], place, stepInto(origin, index)));
  }
  const total = lengthOf(items, origin);
  return { kind: "fields", of: "list", fields, total, ...pathOf(origin, context) };
}

function pathOf(origin: Origin, { redactor }: ViewContext): { path?: string } {
  const path = pathText(origin, redactor);
  return path === undefined ? {} : { path };
}

function viewField(key: string, value: unknown, place: Place, origin: Origin): Field {
  const { context, budget, parents } = place;
  budget.fields--;
  const { limits, redactor } = context;
  const named = { key: cutText(redactor.key(key), limits.cell), ...pathOf(origin, context) };
  if (parents.includes(value as object)) {
    return { ...named, value: { type: "text", text: CIRCULAR } };
  }
  const isDeepest = parents.length >= limits.depth;
  const folded = isScalar(value) || isDeepest || isEmpty(value) || isShortList(value);
  if (folded) return { ...named, value: toCell(value, longest(value, context), redactor) };
  const nested = viewLevel(value as object, place, origin);
  const title = cutText(redactor.text(titleOf(value as object)), limits.cell);
  const text = title === "" ? countOf(nested) : `${title}, ${countOf(nested)}`;
  return { ...named, value: { type: "text", text }, nested };
}

/** A text beside its key has more room than a cell of a table. */
function longest(value: unknown, { limits }: ViewContext): number {
  return typeof value === "string" ? limits.cell * 4 : limits.cell;
}

function isTabular(items: readonly unknown[], rows: number): boolean {
  return items.length > 0 && items.slice(0, rows).every((item) => isPlainObject(item));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isRecord(value)) return true;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/** Whether a value is a list of a few scalars, which `["a","b"]` shows better than lines do. */
export function isShortList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length > 10 || !value.every(isScalar)) return false;
  return value.every((item) => typeof item !== "string" || item.length <= 20);
}

function countOf(block: FieldsBlock | TableBlock): string {
  const noun = block.kind === "table" ? "row" : block.of === "list" ? "item" : "key";
  return formatCount(block.total, noun);
}
