import type { Client, Exchange } from "../../../lib/mod.ts";
import type { Completion } from "../cell/mod.ts";

/** A path from the last answer's JSON to what is being typed. */
const PATH =
  /\bclient\.last\??\.json((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|(?:\?\.)?\[\d+\])*)\??\.([\p{L}\p{N}_$]*)$/u;
const STEP = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]/gu;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** A person reads no more of them. */
const MOST = 500;

/**
 * Completions after `client.last.json`: the compiler knows no more of it than `any`, but the answer is
 * here.
 *
 * @param position UTF-16 offset in the code.
 * @returns Nothing where something else is being typed, or where the answer has no such object.
 * @example `client.last.json.address.c` is completed to `city`
 */
export function completeAnswer(
  { history }: Pick<Client, "history">,
  code: string,
  position: number,
): Completion | undefined {
  const [, path, typed] = PATH.exec(code.slice(0, position)) ?? [];
  const last = history.at(-1);
  if (path === undefined || typed === undefined || last === undefined) return undefined;
  let value = jsonOf(last);
  for (const [, name, index] of path.matchAll(STEP)) {
    const key = name ?? index ?? "";
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  if (!isObject(value)) return undefined;
  const names = Object.keys(value).filter((name) => name.startsWith(typed) && NAME.test(name));
  if (names.length === 0) return undefined;
  const candidates = names.slice(0, MOST).map((text) => ({ text, kind: "property" }));
  return { start: position - typed.length, end: position, candidates };
}

function jsonOf(last: Exchange): unknown {
  try {
    return last.json;
  } catch {
    return undefined; // What is not JSON has no properties to complete.
  }
}

/** Whether a value is an object of JSON: no list, and no number that keeps its digits. */
function isObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
