import { isReachableName, snapshotValue, type Value } from "../interpolation/mod.ts";
import { type DisplayData, jupyterDisplay } from "./exchange.ts";
import { HIDDEN } from "./hide-secrets.ts";
import { denoInspect, nodeInspect, type Show } from "./show.ts";

/** Options of `setVar`. */
export interface SetVarOptions {
  /**
   * Whether displays are to hide the value wherever it shows up. Left out, a variable stays what
   * it was, and a new one is not secret.
   */
  readonly secret?: boolean;
}

/** The variables of a client. */
export interface VariableStore {
  /** Without copies, for rendering alone. */
  readonly values: ReadonlyMap<string, Value>;
  /** What callers may see: a live view whose values are copies. */
  readonly view: ReadonlyMap<string, Value>;
  set(name: string, value: unknown, options?: SetVarOptions): void;
  get(name: string): Value | undefined;
  delete(name: string): boolean;
  clear(): void;
  /** The texts that secret variables are inserted as, the longest first. */
  secrets(): readonly string[];
}

const NO_SECRETS: readonly string[] = [];

/** Creates an empty store whose view is shown by the function that is handed in. */
export function createVariableStore(show: Show): VariableStore {
  const values = new Map<string, Value>();
  const secret = new Set<string>();
  let secrets = NO_SECRETS;
  const refresh = (): void => {
    secrets = [...new Set([...secret].flatMap((name) => textsOf(values.get(name) ?? null)))].sort(
      (one, other) => other.length - one.length,
    );
  };
  const get = (name: string): Value | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : snapshotValue(value, name);
  };
  return {
    values,
    view: createView(values, get, (name) => (secret.has(name) ? HIDDEN : get(name)), show),
    get,
    set(name, value, options) {
      checkName(name);
      values.set(name, snapshotValue(value, name));
      const wasSecret = secret.has(name);
      if (options?.secret === true) secret.add(name);
      if (options?.secret === false) secret.delete(name);
      if (wasSecret || secret.has(name)) refresh();
    },
    delete(name) {
      const existed = values.delete(name);
      if (secret.delete(name)) refresh();
      return existed;
    },
    clear() {
      values.clear();
      secret.clear();
      secrets = NO_SECRETS;
    },
    secrets: () => secrets,
  };
}

function checkName(name: string): void {
  if (typeof name === "string" && isReachableName(name)) return;
  throw new TypeError(
    `Cannot set the variable ${JSON.stringify(name)}: no placeholder could name it; ` +
      "a name is a letter or _, then letters, digits, _ and -",
  );
}

function createView(
  values: ReadonlyMap<string, Value>,
  get: (name: string) => Value | undefined,
  getShown: (name: string) => unknown,
  show: Show,
): ReadonlyMap<string, Value> {
  function* entries(): MapIterator<[string, Value]> {
    for (const name of values.keys()) yield [name, get(name) as Value];
    return undefined;
  }
  function* copies(): MapIterator<Value> {
    for (const [, value] of entries()) yield value;
    return undefined;
  }
  const display = (): DisplayData =>
    show(Object.fromEntries(Array.from(values.keys(), (name) => [name, getShown(name)])));
  const text = (): string => display()["text/plain"];
  const view: ReadonlyMap<string, Value> = {
    get size() {
      return values.size;
    },
    has: (name) => values.has(name),
    get,
    keys: () => values.keys(),
    values: copies,
    entries,
    forEach(callback, thisArgument) {
      for (const [name, value] of entries()) callback.call(thisArgument, value, name, view);
    },
    [Symbol.iterator]: entries,
    ...{ [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text },
  };
  return Object.freeze(view);
}

/** Every text inside a secret: of an object, its leaves. Very short ones would hide half a page. */
function textsOf(value: Value): string[] {
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    if ("isLosslessNumber" in value) return [String(value)];
    return Object.values(value).flatMap(textsOf);
  }
  if (value === null || typeof value === "boolean") return [];
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.length < 3 ? [] : [text];
}
