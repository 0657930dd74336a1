import { shorten } from "./fault.ts";
import { valueAt, writtenAt } from "./path.ts";
import type { GeneratedPlaceholder, PathPlaceholder, Placeholder } from "./template.ts";
import {
  type Explanation,
  type Generated,
  type Scope,
  stepText,
  type Value,
  type Variables,
} from "./value.ts";

/** Looks up variables by name. */
export type Lookup = (name: string) => Value | undefined;

/** Creates the lookup for variables; inherited members of an object are not variables. */
export function createLookup(variables: Variables): Lookup {
  if (isMap(variables)) return (name) => variables.get(name);
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** Whether variables are a map or a scope rather than an object, across realms. */
export function isMap(variables: Variables): variables is Scope {
  if (variables instanceof Map) return true;
  const { get, has, keys } = variables as { readonly [name: string]: unknown };
  return typeof get === "function" && typeof has === "function" && typeof keys === "function";
}

/** Generates the value of a placeholder; `undefined` when the variables generate none. */
export function generate(
  placeholder: GeneratedPlaceholder,
  variables: Variables,
): Generated | undefined {
  return isMap(variables) ? variables.generate?.(placeholder) : undefined;
}

/**
 * Finds the value of a placeholder, with its type.
 *
 * @param placeholder A placeholder of {@link parseTemplate}.
 * @param variables The values, by name.
 * @returns The value, or `undefined` when there is none.
 */
export function resolvePlaceholder(
  placeholder: Placeholder,
  variables: Variables,
): Value | undefined {
  if (placeholder.kind === "path") {
    const named = namedIn(variables, placeholder);
    return withOtherwise(writtenAt(variableOf(named, variables), named), placeholder);
  }
  const generated = generate(placeholder, variables);
  return generated !== undefined && "value" in generated ? generated.value : undefined;
}

/** A value, or what a placeholder has in place of none. */
export function withOtherwise(
  value: Value | undefined,
  { otherwise }: PathPlaceholder,
): Value | undefined {
  return otherwise === undefined || (value !== undefined && value !== null) ? value : otherwise;
}

/**
 * The placeholder with the variable that it names: in a scope with names that have dots, one of these goes before a
 * member of another variable, and the longest before others. Brackets always lead to a member.
 */
export function namedIn(variables: Variables, placeholder: PathPlaceholder): PathPlaceholder {
  const { name, steps } = placeholder;
  if (steps.length === 0 || typeof (variables as Scope).isWhole !== "function") return placeholder;
  const { isWhole } = variables as Scope;
  const names = variablesNamed(placeholder);
  for (let count = names.length - 1; count > 0; count -= 1) {
    const whole = names[count] ?? name;
    if (isWhole?.(whole)) return { ...placeholder, name: whole, steps: steps.slice(count) };
  }
  return placeholder;
}

/** The variables that a placeholder may name, the shortest first: `a`, `a.b` and `a.b.c` of `{{a.b.c[0]}}`. */
export function variablesNamed(placeholder: Placeholder): readonly string[] {
  if (placeholder.kind === "generated") return [placeholder.name];
  const { name, steps, text } = placeholder;
  const [dotted = ""] = text.split("[", 1);
  const count = Math.min(dotted.split(".").length - 1, steps.length, NAME_STEPS);
  return [
    name,
    ...steps.slice(0, count).map((_, at) => [name, ...steps.slice(0, at + 1)].join(".")),
  ];
}

/** Longer names are none: each length is looked for. */
const NAME_STEPS = 10;

/** A variable and a path into it. */
type VariablePath = Pick<PathPlaceholder, "name" | "steps">;

/** The variable that a path begins with, as far as the path needs it. */
export function variableOf(placeholder: VariablePath, variables: Variables): Value | undefined {
  const value = createLookup(variables)(placeholder.name);
  if (value !== undefined) return value;
  const part = partOf(placeholder, variables);
  return part !== undefined && "value" in part ? part.value : undefined;
}

/** The part of a variable without a value that a path leads to. */
export function partOf({ name, steps }: VariablePath, variables: Variables): Generated | undefined {
  return steps.length > 0 && isMap(variables) ? variables.partOf?.(name, steps) : undefined;
}

/** Whether the whole path exists, even if its value is `undefined`. */
export function isPresent(placeholder: PathPlaceholder, variables: Variables): boolean {
  const { name, steps, query } = namedIn(variables, placeholder);
  if (query !== undefined) return resolvePlaceholder(placeholder, variables) !== undefined;
  const last = steps.at(-1);
  if (last === undefined) {
    return isMap(variables) ? variables.has(name) : Object.hasOwn(variables, name);
  }
  const holder = valueAt(createLookup(variables)(name), { steps: steps.slice(0, -1) });
  if (typeof holder !== "object" || holder === null) return false;
  if (!Array.isArray(holder)) return Object.hasOwn(holder, last);
  return typeof last === "number" && last < holder.length;
}

/** A scope with the values of this moment; what has none now is looked for when it is used. */
export function keepValues(scope: Scope): Scope {
  const values = new Map(Array.from(scope.keys(), (name) => [name, scope.get(name)]));
  return { ...scope, get: (name) => values.get(name) ?? scope.get(name) };
}

/** A variable whose value is resolved when it is used: it is lazy, or could not be resolved where it is set. */
export interface LateValue {
  /** Where it is set, to begin a sentence with: `line 3`, `http-client.env.json:3`. */
  readonly place: string;
  /** The variables that its value refers to. */
  readonly names: readonly string[];
  /** Whether its value must not be resolved before it is used. */
  readonly isLazy?: boolean;
  /** The scheme of the reference to a secret that it is as a whole: `op` of `op://Private/api/token`. */
  readonly scheme?: string;
  /** Resolves the value with a stand-in for each secret in it that was not fetched yet, for a check. */
  readonly resolveTrial?: () => Value;
  /** Resolves the value; throws an error that says why there is none. */
  readonly resolve: () => Value;
  /** Resolves what a path leads to and leaves the rest of the value as it is, if it can be divided. */
  readonly resolvePart?: (steps: readonly (string | number)[]) => Value;
}

/** Longer chains of variables are refused. */
const LONGEST_CHAIN = 1_000;
/** Each step of a chain is a recursive call: after so many, the variable that is reached is resolved first. */
const DEPTH_LIMIT = 50;

/** Leads back to the beginning of a chain, from the variable that it has reached. */
class TooDeep extends Error {
  reached = "";
  /** The variables before it. */
  way: readonly string[] = [];
}

/**
 * Variables whose values are resolved when they are used, since the variables that they refer to may be set later.
 * One without a value has an explanation, which names the place where it is set.
 */
export class LateValues {
  readonly #values = new Map<string, LateValue>();
  readonly #names = new Set<string>();
  /** Why variables have no value; they are resolved again only after a change. */
  readonly #failed = new Map<string, Explanation>();
  /** The values of parts, until anything changes. */
  readonly #parts = new Map<string, Generated>();
  /** Finds the value of a variable, and keeps it for those that refer to it. */
  keep: (name: string) => unknown = () => undefined;
  /** The variables and parts that are being resolved, each for the one before it. */
  #way: readonly string[] = [];
  /** How many of them are recursive calls. */
  #depth = 0;
  /** Why the innermost variable has no value, which is the reason for all that refer to it. */
  #cause: Explanation | undefined;

  /** Sets a variable in place of one of the same name. */
  set(name: string, value: LateValue): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    for (const one of value.names) this.#names.add(one);
    this.#failed.delete(name);
    this.noteChange(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  delete(name: string): boolean {
    this.#failed.delete(name);
    this.#parts.clear();
    return this.#values.delete(name);
  }

  clear(): void {
    this.#values.clear();
    this.#names.clear();
    this.retry();
  }

  get(name: string): LateValue | undefined {
    return this.#values.get(name);
  }

  /** The variables that the value of a variable refers to. */
  namesOf(name: string): readonly string[] {
    return this.#values.get(name)?.names ?? [];
  }

  /** Notes that a variable was set or deleted, so that those without a value are resolved again. */
  noteChange(name: string): void {
    this.#parts.clear();
    if (this.#names.has(name)) this.#failed.clear();
  }

  /** Lets all variables without a value be resolved again. */
  retry(): void {
    this.#failed.clear();
    this.#parts.clear();
  }

  /** The variables, in the order in which they were set. */
  entries(): Iterable<readonly [name: string, value: LateValue]> {
    return this.#values;
  }

  /** The value of a variable, or why it has none; `undefined` if there is no such variable. */
  find(name: string): Generated | undefined {
    const late = this.#values.get(name);
    if (late === undefined) return undefined;
    const known = this.#failed.get(name);
    const found = known ?? this.#resolve(name, late.place, late.resolve);
    if ("value" in found) return found;
    if (!this.#way.includes(name)) this.#failed.set(name, found);
    this.#cause ??= found;
    return found;
  }

  /** Like {@link find}, for what a path leads to in a variable: nothing beside it is resolved. */
  findPart(name: string, steps: readonly (string | number)[]): Generated | undefined {
    const { place = "", resolvePart } = this.#values.get(name) ?? {};
    if (resolvePart === undefined) return undefined;
    const part = name + steps.map(stepText).join("");
    const found = this.#parts.get(part) ?? this.#resolve(part, place, () => resolvePart(steps));
    if (!this.#way.includes(part)) this.#parts.set(part, found);
    // That the variable has no value as a whole is not the reason for anything.
    this.#cause = "value" in found ? undefined : found;
    return found;
  }

  #resolve(name: string, place: string, resolve: () => Value): Generated {
    const way = this.#way;
    const before = way.indexOf(name);
    if (before !== -1) {
      const names = shorten([...way.slice(before), name].join(" → "), 300);
      return { message: `${place} sets it in terms of itself: ${names}` };
    }
    if (way.length >= LONGEST_CHAIN) {
      return explain(place, new RangeError("Its value takes too many other variables"));
    }
    if (this.#depth >= DEPTH_LIMIT) throw Object.assign(new TooDeep(), { reached: name, way });
    if (way.length === 0) this.#cause = undefined;
    for (let first: TooDeep | undefined; ; ) {
      this.#way = [...way, name];
      this.#depth += 1;
      try {
        return { value: resolve() };
      } catch (error) {
        const isAgain = error instanceof TooDeep && error.reached === first?.reached;
        if (!(error instanceof TooDeep) || isAgain) return this.#cause ?? explain(place, error);
        if (this.#depth > 1) throw error;
        first = error;
      } finally {
        this.#depth -= 1;
        this.#way = way;
      }
      this.#way = first.way;
      this.keep(first.reached);
      this.#way = way;
    }
  }
}

function explain(place: string, error: unknown): Explanation {
  const [fault] = (error as { readonly faults?: readonly Explanation[] }).faults ?? [];
  const { message, hint } = fault ?? (error as Error & Explanation);
  const text = `${place} sets it, but ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return hint === undefined ? { message: text } : { message: text, hint };
}
