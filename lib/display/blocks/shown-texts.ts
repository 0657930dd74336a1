import { isRecord } from "../../interpolation/mod.ts";
import { isNumberText } from "./kinds.ts";
import type { Limits } from "./limits.ts";

/** A longer text is masked by itself, and only the part that is shown. */
const LONGEST = 20_000;
const DEEPEST = 32;
/** How many characters are searched for each character that a table shows. */
const SHARE = 2;

/**
 * Returns the keys and leaf values of data that a view may show, in order. This is an estimate: a view masks
 * everything else by itself when it shows it.
 */
export function* shownTexts(data: unknown, limits: Limits): Generator<string, void, undefined> {
  let left = limits.table * SHARE;

  function* visit(item: unknown, depth: number): Generator<string, void, undefined> {
    if (left <= 0 || depth > DEEPEST) return;
    const text = textOf(item);
    if (text !== undefined) {
      if (text.length <= LONGEST) yield take(text);
    } else if (Array.isArray(item)) {
      for (let at = 0; at < Math.min(item.length, limits.rows) && left > 0; at++) {
        yield* visit(item[at], depth + 1);
      }
    } else if (isRecord(item)) yield* visitMembers(item, depth);
  }

  function* visitMembers(record: object, depth: number): Generator<string, void, undefined> {
    let count = 0;
    for (const key in record) {
      if (!Object.hasOwn(record, key)) continue;
      if (++count > limits.fields || left <= 0) return;
      if (key.length <= LONGEST) yield take(key);
      yield* visit(Reflect.get(record, key), depth + 1);
    }
  }

  const take = (text: string): string => {
    left -= text.length + 1;
    return text;
  };
  yield* visit(data, 0);
}

function textOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  const isNumber = typeof item === "number" || typeof item === "bigint" || isNumberText(item);
  return isNumber ? String(item) : undefined;
}
