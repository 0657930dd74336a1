import { types } from "node:util";
import type { Client, Exchange } from "../../lib/mod.ts";
import type { Candidate, Completion } from "./cell/mod.ts";

/** A path from a name to what is being typed. */
const PATH =
  /(?<![.\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|(?:\?\.)?\[\d+\])*)\??\.([\p{L}\p{N}_$]*)$/u;
const STEP = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]/gu;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const OF_LAST_ANSWER = /^\??\.last\??\.json(?![\p{L}\p{N}_$])/u;

/** The most candidates that are offered. */
const MOST = 500;

/** The values that a path may begin with. */
interface KnownValues {
  readonly client: Pick<Client, "history">;
  /** The variables of the cells, the last result `_` included. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Completions after `client.last.json`: its type is `any`, but its value is known.
 *
 * @param position UTF-16 offset in the code.
 * @returns Nothing if something else is being typed, or if the answer has no such value.
 * @example `client.last.json.address.c` is completed to `city`
 */
export function completeAnswer(
  client: KnownValues["client"],
  code: string,
  position: number,
): Completion | undefined {
  const [, root, path = "", typed = ""] = PATH.exec(code.slice(0, position)) ?? [];
  const last = client.history.at(-1);
  const [start] = OF_LAST_ANSWER.exec(path) ?? [];
  if (root !== "client" || start === undefined || last === undefined) return undefined;
  return toCompletion(follow(jsonOf(last), path.slice(start.length), client), typed, position);
}

/**
 * Completions after a variable of an earlier cell, or a path from it: its members at run time. No code of the user is
 * run, neither getters nor proxies.
 *
 * @param position UTF-16 offset in the code.
 * @returns Nothing if something else is being typed, or if nothing is known of the value.
 * @example With `const one: any = { size: 1 }`, `one.s` is completed to `size`
 */
export function completeVariable(
  { client, values }: KnownValues,
  code: string,
  position: number,
): Completion | undefined {
  const [, root = "", path = "", typed = ""] = PATH.exec(code.slice(0, position)) ?? [];
  if (!Object.hasOwn(values, root)) return undefined;
  return toCompletion(follow(values[root], path, client), typed, position);
}

/** The value at the end of a path, as far as it is data. */
function follow(start: unknown, path: string, { history }: KnownValues["client"]): unknown {
  let value = start;
  for (const [, name, index] of path.matchAll(STEP)) {
    const key = name ?? index ?? "";
    // The JSON of an answer is a getter, too, but one of ours.
    const answer = key === "json" ? history.find((one) => one === value) : undefined;
    value = answer === undefined ? propertyOf(value, key)?.value : jsonOf(answer);
  }
  return value;
}

function toCompletion(value: unknown, typed: string, position: number): Completion | undefined {
  const candidates = [...membersOf(value)].filter(({ text }) => text.startsWith(typed));
  if (candidates.length === 0) return undefined;
  return { start: position - typed.length, end: position, candidates: candidates.slice(0, MOST) };
}

/** The members of a value, its own first; those that every object has are left out. */
function membersOf(value: unknown): Iterable<Candidate> {
  const members = new Map<string, Candidate>();
  if (value === undefined || value === null) return [];
  let owner: unknown = Object(value);
  while (isReadable(owner) && owner !== Object.prototype) {
    for (const name of namesOf(owner)) {
      if (name === "constructor" || members.has(name) || !NAME.test(name)) continue;
      const isMethod = typeof propertyOf(owner, name)?.value === "function";
      members.set(name, { text: name, kind: isMethod ? "method" : "property" });
    }
    owner = Object.getPrototypeOf(owner);
  }
  return members.values();
}

/** The names of the properties of the value itself, without the indexes of a long list, which could be millions. */
function namesOf(value: object): readonly string[] {
  if (ArrayBuffer.isView(value)) return [];
  const length: unknown = propertyOf(value, "length")?.value;
  const isLong = typeof length === "number" && length > MOST;
  return isLong ? ["length"] : Object.getOwnPropertyNames(value);
}

/** A property of the value itself; a getter has no `value`. */
function propertyOf(value: unknown, key: string): PropertyDescriptor | undefined {
  try {
    return isReadable(value) ? Object.getOwnPropertyDescriptor(value, key) : undefined;
  } catch {
    return undefined; // The exports of a module that is still being loaded throw.
  }
}

/** Whether the properties of a value can be looked up without running code. */
function isReadable(value: unknown): value is object {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && !types.isProxy(value);
}

function jsonOf(answer: Exchange): unknown {
  try {
    return answer.json;
  } catch {
    return undefined; // What is not JSON has no members to complete.
  }
}
