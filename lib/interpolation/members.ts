import { asWritten, isReordered, namesOf } from "./written.ts";

/**
 * Reads the members of a person's value without calling its getters. Where a proxy throws, the reason is
 * returned in place of the value, in the words of a console.
 */

const nodeInspect: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Returned in place of a value that is not read; its text is shown, such as `[Getter]`. */
class Unread {
  readonly #text: string;
  readonly #value: unknown;

  /** @param value The value, if there is one: a console can look behind a proxy. */
  constructor(text: string, value?: object) {
    this.#text = text;
    this.#value = value;
  }

  toString(): string {
    return this.#text;
  }

  /** https://nodejs.org/docs/latest-v20.x/api/util.html#utilinspectcustom */
  [nodeInspect](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    if (this.#value === undefined) return this.#text;
    try {
      return inspect(this.#value, options);
    } catch {
      return this.#text; // Deno's console throws for a revoked proxy.
    }
  }
}

/** Whether a value was returned in place of one that is not read. */
export function isUnread(value: unknown): boolean {
  return value instanceof Unread;
}

/**
 * A value whose members can be read: the value itself, or an {@link Unread}.
 *
 * @example A revoked proxy is an {@link Unread} with the text `<Revoked Proxy>`
 */
export function readable(value: unknown): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  let isList: boolean;
  try {
    isList = Array.isArray(value); // No trap: it throws for a revoked proxy alone.
  } catch {
    return new Unread("<Revoked Proxy>", value);
  }
  try {
    // Each asks a trap that a proxy may have; the results are used, since a bundler leaves out what has none.
    const isNull = Object.getPrototypeOf(value) === null;
    const length = Object.getOwnPropertyDescriptor(value, "length");
    const hasKeys = !isList && length === undefined && !("length" in value);
    if (hasKeys && !(isNull && isNamespace(value))) for (const _ in value) break;
    return value;
  } catch (error) {
    return thrown(error, value);
  }
}

/** An own member of an object, or an item of a list; `undefined` if there is none. */
export function readMember(owner: object, key: string | number): unknown {
  try {
    const property = Object.getOwnPropertyDescriptor(owner, key);
    if (property === undefined) return undefined;
    const { value } = property;
    if (typeof value === "number") return asWritten(owner, key, value);
    return "value" in property ? readable(value) : new Unread(accessorText(property));
  } catch (error) {
    // An export of a module that is still being loaded.
    return isNamespace(owner) ? new Unread("<uninitialized>") : thrown(error);
  }
}

/** The member that a step of a path leads to: an item of a list, or a member of any other object. */
export function readStep(owner: unknown, step: string | number): unknown {
  if (typeof owner !== "object" || owner === null) return undefined;
  return Array.isArray(owner) && typeof step !== "number" ? undefined : readMember(owner, step);
}

/** The enumerable members of an object, and the items of a list. */
export function* membersOf(
  owner: object,
): Generator<readonly [key: string, value: unknown], undefined> {
  if (!Array.isArray(owner)) {
    for (const key of keysOf(owner)) yield [key, readMember(owner, key)];
    return;
  }
  let index = 0;
  for (const item of itemsOf(owner)) yield [String(index++), item];
}

/** The names of the enumerable members of an object, in the order in which they were written. */
export function* keysOf(owner: object): Generator<string, undefined> {
  // Whether an export is enumerable can be asked once its module is loaded, and all of them are.
  if (isNamespace(owner)) return yield* Object.getOwnPropertyNames(owner);
  if (isReordered(owner)) return yield* namesOf(owner);
  for (const key in owner) if (Object.hasOwn(owner, key)) yield key;
}

/** The items of a list or of a set; the first of them if not all are asked for. */
export function* itemsOf(
  list: readonly unknown[] | ReadonlySet<unknown>,
  most: number = Number.POSITIVE_INFINITY,
): Generator<unknown, undefined> {
  const length = Math.min(sizeOf(list), most);
  if (Array.isArray(list)) {
    for (let index = 0; index < length; index++) yield readMember(list, index);
    return;
  }
  const items = Set.prototype.values.call(list);
  for (let index = 0; index < length; index++) yield readable(items.next().value);
}

/** The number of items of a list, or of the entries of a map or a set; 0 for what only inherits from one. */
export function sizeOf(list: object): number {
  if (Array.isArray(list)) return Number(readMember(list, "length"));
  try {
    return Reflect.get(list instanceof Map ? Map.prototype : Set.prototype, "size", list) as number;
  } catch {
    return 0;
  }
}

/**
 * A property of a value, its own or inherited, without calling a getter.
 *
 * @returns `undefined` for a getter, and where there is no such property.
 */
export function dataOf(value: unknown, key: PropertyKey): unknown {
  return findProperty(value, key)?.value;
}

/** A property of an error, whose class may have getters; an {@link Unread} if it throws. */
export function readProperty(error: object, key: string): unknown {
  try {
    return readable(Reflect.get(error, key));
  } catch (thrownByIt) {
    return thrown(thrownByIt);
  }
}

/** A property of a value, its own or inherited. */
export function findProperty(value: unknown, key: PropertyKey): PropertyDescriptor | undefined {
  const isObject = typeof value === "object" || typeof value === "function";
  let owner = isObject ? value : null;
  try {
    while (owner !== null) {
      const property = Object.getOwnPropertyDescriptor(owner, key);
      if (property !== undefined) return property;
      owner = Object.getPrototypeOf(owner);
    }
  } catch {
    // A proxy has thrown.
  }
  return undefined;
}

/** The tag of an object, such as `Map`, `Date` or `Uint8Array`, which is the same across realms. */
export function tagOf(value: unknown): string {
  const named = findProperty(value, Symbol.toStringTag);
  if (typeof named?.value === "string") return named.value;
  if (named?.get !== undefined && !ArrayBuffer.isView(value)) return "Object";
  try {
    return Object.prototype.toString.call(value).slice(8, -1);
  } catch {
    return "Object";
  }
}

/** Whether a value can be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof dataOf(value, "then") === "function";
}

/** Whether a value is an error, also one of another realm. */
export function isError(value: unknown): value is Error {
  if (typeof value !== "object" || value === null) return false;
  const tag = tagOf(value);
  // An object that has only the tag of an error has no message.
  if (tag === "Error" || tag === "DOMException")
    return findProperty(value, "message") !== undefined;
  try {
    return value instanceof Error;
  } catch {
    return false; // A proxy has thrown.
  }
}

function thrown(error: unknown, value?: object): Unread {
  return new Unread(`[Thrown: ${messageOf(error)}]`, value);
}

/** What an error says, or anything else that was thrown. */
export function messageOf(error: unknown): string {
  const said = isError(error) ? readProperty(error, "message") : error;
  try {
    return String(said);
  } catch {
    return "a value that cannot be shown";
  }
}

function isNamespace(owner: object): boolean {
  return dataOf(owner, Symbol.toStringTag) === "Module" && Object.getPrototypeOf(owner) === null;
}

function accessorText({ get, set }: PropertyDescriptor): string {
  return `[${[get && "Getter", set && "Setter"].filter(Boolean).join("/")}]`;
}
