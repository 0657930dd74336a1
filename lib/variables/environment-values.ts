import {
  type LateValue,
  objectOf,
  parseTemplate,
  renderTemplate,
  type Scope,
  type Value,
  writtenEntries,
} from "../interpolation/mod.ts";
import { isObjectValue } from "./save-variables.ts";

/**
 * Fills the placeholders in the values of an environment, which may refer to each other. A value whose
 * placeholders cannot be filled yet is filled when it is used.
 *
 * @param found The variables as they were read.
 * @param outer The scope of other names.
 */
export function fillValues(
  found: ReadonlyMap<string, EnvironmentVariable>,
  outer: Scope,
): ReadonlyMap<string, EnvironmentVariable> {
  const filled = new Map<string, EnvironmentVariable>();
  const open = new Set<string>();
  const fill = (name: string): Value | undefined => {
    const variable = found.get(name);
    const done = filled.get(name);
    if (done !== undefined || variable === undefined || open.has(name)) return done?.value;
    open.add(name);
    const result = fillVariable(variable, scope, outer);
    open.delete(name);
    filled.set(name, result);
    return result.value;
  };
  const scope: Scope = {
    ...outer,
    get: (name) => (found.has(name) ? fill(name) : outer.get(name)),
    has: (name) => found.has(name) || outer.has(name),
    keys: () => [...found.keys(), ...outer.keys()],
  };
  for (const name of found.keys()) fill(name);
  return filled;
}

function fillVariable(
  variable: EnvironmentVariable,
  scope: Scope,
  outer: Scope,
): EnvironmentVariable {
  const { value, ...rest } = variable;
  if (typeof value !== "string" || !value.includes("{{")) return variable;
  try {
    return { ...rest, value: renderTemplate(parseTemplate(value), scope, "text") };
  } catch {
    const render = (): Value => renderTemplate(parseTemplate(value), outer, "text");
    return { ...rest, late: lateVariable(variable, namesIn(value), render) };
  }
}

/** A variable whose value is looked for, or complained about, when it is used. */
export function lateVariable(
  { file, line }: Pick<EnvironmentVariable, "file" | "line">,
  names: readonly string[],
  resolve: () => Value,
): LateValue {
  return { place: line === undefined ? file : `${file}:${line}`, names, resolve };
}

function namesIn(value: string): readonly string[] {
  try {
    const { parts } = parseTemplate(value);
    return parts.flatMap((part) => (typeof part === "string" ? [] : [part.name]));
  } catch {
    return []; // The placeholder is broken, whatever changes.
  }
}

/** A variable of an environment, and where it comes from. */
export interface EnvironmentVariable {
  /** Absent where it could not be found when the files were read. */
  readonly value?: Value;
  /** How the value is found when it is used, if there is none yet. */
  readonly late?: LateValue;
  readonly secret: boolean;
  /** The texts in it that are secret, if known; the rest is then not secret. */
  readonly secretTexts?: readonly string[];
  /** The path of the file, as messages name it. */
  readonly file: string;
  /** Its line in the file, from 1; absent for `.env`. */
  readonly line?: number;
  /** The environment in the file; absent for `.env`. */
  readonly environment?: string;
}

/** The key of logins in JetBrains' environment files. */
export const SECURITY = "Security";

/** The secret properties of a login; the others are names and addresses. */
const SECRET_KEY = /secret|password|^token$/i;

/**
 * Merges the logins of a file into those of the previous one: a private file adds the secrets to the
 * logins of the public file.
 */
export function withLogins(
  variable: EnvironmentVariable,
  before: EnvironmentVariable | undefined,
): EnvironmentVariable {
  const own = variable.value;
  if (own === undefined) return variable;
  const value = before?.value === undefined ? own : mergeDeep(before.value, own);
  return { ...variable, value, secret: false, secretTexts: secretTextsIn(value) };
}

function mergeDeep(before: Value, value: Value): Value {
  if (!isObjectValue(before) || !isObjectValue(value)) return value;
  const entries = writtenEntries(value).map(([key, one]): [string, Value] => {
    const former = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, former === undefined ? one : mergeDeep(former, one)];
  });
  return objectOf([...writtenEntries(before), ...entries]);
}

function secretTextsIn(value: Value): readonly string[] {
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== "string") return secretTextsIn(one);
    return SECRET_KEY.test(key) ? [one] : [];
  });
}
