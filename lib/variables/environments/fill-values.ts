import {
  type LateValue,
  parseTemplate,
  renderTemplate,
  type Scope,
  type Value,
} from "../../interpolation/mod.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";

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
