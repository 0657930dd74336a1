import { isReachableName, snapshotValue, type Value } from "../interpolation/mod.ts";
import type { EnvironmentVariable } from "./environment.ts";
import { HIDDEN } from "./hide-secrets.ts";
import type { Show } from "./show.ts";
import { createView } from "./variables-view.ts";

/** Options of `setVar`. */
export interface SetVarOptions {
  /**
   * Whether displays are to hide the value wherever it shows up. Left out, a variable stays what
   * it was, and a new one is not secret.
   */
  readonly secret?: boolean;
}

/** Where the value of a variable comes from. */
export interface Origin {
  /**
   * `set`: `setVar`, or `--var`. `line`: a line `@name = value`. `saved`: `client.load`.
   * `environment`: a file of an environment. `answer`: the answer to a named request.
   */
  readonly kind: "set" | "line" | "saved" | "environment" | "answer";
  /** The file, where it is one. */
  readonly file?: string;
  /** The environment in the file, where the file has several. */
  readonly environment?: string;
  /** Whether displays hide it. */
  readonly secret: boolean;
}

/** The variables of a client: those that were set, before those of the environment. */
export interface VariableStore {
  /** Without copies, for rendering alone. */
  readonly values: ReadonlyMap<string, Value>;
  /** What callers may see: a live view whose values are copies. */
  readonly view: ReadonlyMap<string, Value>;
  set(name: string, value: unknown, options?: SetVarOptions, kind?: Origin["kind"]): void;
  get(name: string): Value | undefined;
  delete(name: string): boolean;
  clear(): void;
  origin(name: string): Origin | undefined;
  /** Puts the variables of another environment in the place of those of the one before. */
  useEnvironment(variables: ReadonlyMap<string, EnvironmentVariable>): void;
  /** Hides a value that no variable holds: an answer to a question, a secret of the process. */
  hide(value: Value): void;
  /** The texts that secret variables are inserted as, the longest first. */
  secrets(): readonly string[];
}

const NO_SECRETS: readonly string[] = [];

/** Creates an empty store whose view is shown by the function that is handed in. */
export function createVariableStore(show: Show): VariableStore {
  const values = new Map<string, Value>();
  const secret = new Set<string>();
  const kinds = new Map<string, Origin["kind"]>();
  const hidden = new Set<string>();
  let environment: ReadonlyMap<string, EnvironmentVariable> = new Map();
  let secrets = NO_SECRETS;
  const refresh = (): void => {
    const texts = [...secret].flatMap((name) => textsOf(values.get(name) ?? null));
    const files = Array.from(environment.values(), (it) => (it.secret ? textsOf(it.value) : []));
    secrets = [...new Set([...texts, ...files.flat(), ...hidden])].sort(
      (one, other) => other.length - one.length,
    );
  };
  /** Puts a variable of the environment where none was set. */
  const fall = (name: string): void => {
    const variable = environment.get(name);
    if (variable === undefined || !isReachableName(name)) return;
    values.set(name, variable.value);
    if (variable.secret) secret.add(name);
  };
  const get = (name: string): Value | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : snapshotValue(value, name);
  };
  return {
    values,
    view: createView(values, get, (name) => (secret.has(name) ? HIDDEN : get(name)), show),
    get,
    set(name, value, options, kind = "set") {
      checkName(name);
      values.set(name, snapshotValue(value, name));
      kinds.set(name, kind);
      const wasSecret = secret.has(name);
      if (options?.secret === true) secret.add(name);
      if (options?.secret === false) secret.delete(name);
      if (wasSecret || secret.has(name)) refresh();
    },
    delete(name) {
      if (!kinds.delete(name)) return false;
      values.delete(name);
      const wasSecret = secret.delete(name);
      fall(name);
      if (wasSecret) refresh();
      return true;
    },
    clear() {
      values.clear();
      secret.clear();
      kinds.clear();
      hidden.clear();
      for (const name of environment.keys()) fall(name);
      refresh();
    },
    origin(name) {
      const kind = kinds.get(name);
      if (kind !== undefined) return { kind, secret: secret.has(name) };
      const variable = environment.get(name);
      if (variable === undefined) return undefined;
      const { value: _value, ...rest } = variable;
      return { kind: "environment", ...rest };
    },
    useEnvironment(variables) {
      for (const name of environment.keys()) {
        if (kinds.has(name)) continue;
        values.delete(name);
        secret.delete(name);
      }
      environment = variables;
      for (const name of environment.keys()) if (!kinds.has(name)) fall(name);
      refresh();
    },
    hide(value) {
      const before = hidden.size;
      for (const text of textsOf(value)) hidden.add(text);
      if (hidden.size > before) refresh();
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
