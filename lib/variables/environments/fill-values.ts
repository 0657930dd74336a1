import { parseTemplate, renderTemplate, type Scope, type Value } from "../../interpolation/mod.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";
import { EnvironmentError } from "./errors.ts";

/**
 * Fills the placeholders in the values of an environment, which may refer to each other.
 *
 * @param found The variables as they were read.
 * @param outer The scope of other names.
 * @throws {EnvironmentError} A value cannot be rendered, or values refer to each other in a cycle.
 */
export function fillValues(
  found: ReadonlyMap<string, EnvironmentVariable>,
  outer: Scope,
): ReadonlyMap<string, EnvironmentVariable> {
  const filled = new Map<string, EnvironmentVariable>();
  const open = new Set<string>();
  const fill = (name: string): EnvironmentVariable | undefined => {
    const variable = found.get(name);
    const done = filled.get(name);
    if (variable === undefined || done !== undefined) return done;
    if (open.has(name)) {
      const cycle = [...open, name].join(" → ");
      throw new EnvironmentError(
        `Cannot use "${variable.file}": its values refer to each other in a cycle, ${cycle}`,
      );
    }
    open.add(name);
    const result = { ...variable, value: fillValue(variable) };
    open.delete(name);
    filled.set(name, result);
    return result;
  };
  const scope: Scope = {
    ...outer,
    get: (name) => (found.has(name) ? fill(name)?.value : outer.get(name)),
    has: (name) => found.has(name) || outer.has(name),
    keys: () => [...found.keys(), ...outer.keys()],
  };
  const fillValue = ({ value, file }: EnvironmentVariable): Value => {
    if (typeof value !== "string" || !value.includes("{{")) return value;
    try {
      return renderTemplate(parseTemplate(value), scope, "text");
    } catch (cause) {
      if (cause instanceof EnvironmentError) throw cause;
      throw new EnvironmentError(`Cannot use "${file}": ${(cause as Error).message}`, { cause });
    }
  };
  for (const name of found.keys()) fill(name);
  return filled;
}
