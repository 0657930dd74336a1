import type { Show } from "../exchange/mod.ts";
import { isReachableName, snapshotValue, type Value } from "../interpolation/mod.ts";
import { HIDDEN, type SecretStore } from "../secrets/mod.ts";
import type { EnvironmentVariable } from "./environments/mod.ts";
import { createView } from "./variables-view.ts";

/** Options of `setVar`. */
export interface SetVarOptions {
  /**
   * Whether displays are to hide the value wherever it shows up, in whatever form. Left out, a
   * variable stays what it was, and a new one is secret where its name, or that of a property in
   * it, says so: `token`, `password`, `apiKey` and their kin.
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
}

/** Creates an empty store whose view is shown by the function that is handed in. */
export function createVariableStore(show: Show, secrets: SecretStore): VariableStore {
  const values = new Map<string, Value>();
  const kinds = new Map<string, Origin["kind"]>();
  let environment: ReadonlyMap<string, EnvironmentVariable> = new Map();
  /** Puts a variable of the environment where none was set. */
  const fall = (name: string): void => {
    const variable = environment.get(name);
    if (variable === undefined || !isReachableName(name)) return;
    values.set(name, variable.value);
    // A file is not to be refused for a short secret in it: a remark tells of it.
    const isSecret = variable.secret
      ? true
      : variable.secretTexts === undefined
        ? undefined
        : false;
    secrets.setVariable(name, variable.value, isSecret, "remark");
    for (const text of variable.secretTexts ?? []) secrets.hide(text);
  };
  const get = (name: string): Value | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : snapshotValue(value, name);
  };
  return {
    values,
    view: createView(
      values,
      get,
      (name) => (secrets.isSecretVariable(name) ? HIDDEN : get(name)),
      show,
    ),
    get,
    set(name, value, options, kind = "set") {
      checkName(name);
      const copy = snapshotValue(value, name);
      secrets.setVariable(name, copy, options?.secret);
      values.set(name, copy);
      kinds.set(name, kind);
    },
    delete(name) {
      if (!kinds.delete(name)) return false;
      values.delete(name);
      secrets.deleteVariable(name);
      fall(name);
      return true;
    },
    clear() {
      for (const name of values.keys()) secrets.deleteVariable(name);
      values.clear();
      kinds.clear();
      for (const name of environment.keys()) fall(name);
    },
    origin(name) {
      const kind = kinds.get(name);
      if (kind !== undefined) return { kind, secret: secrets.holdsSecret(name) };
      const variable = environment.get(name);
      if (variable === undefined) return undefined;
      const { value: _value, secretTexts: _texts, ...rest } = variable;
      return { kind: "environment", ...rest };
    },
    useEnvironment(variables) {
      for (const name of environment.keys()) {
        if (kinds.has(name)) continue;
        values.delete(name);
        secrets.deleteVariable(name);
      }
      environment = variables;
      for (const [name, variable] of environment) {
        if (!kinds.has(name)) fall(name);
        else if (variable.secret) secrets.hide(variable.value);
      }
    },
    hide(value) {
      secrets.hide(value);
    },
  };
}

function checkName(name: string): void {
  if (typeof name === "string" && isReachableName(name)) return;
  throw new TypeError(
    `Cannot set the variable ${JSON.stringify(name)}: no placeholder could name it; ` +
      "a name is a letter or _, then letters, digits, _ and -",
  );
}
