import type { Explanation, Generated, Value } from "../values/mod.ts";

/** A variable whose value is not found where it is set: it could not be, or is not to be. */
export interface LateValue {
  /** Where it is set, as a sentence begins: `line 3`, `http-client.env.json:3`. */
  readonly place: string;
  /** The names that its value is made of. */
  readonly names: readonly string[];
  /** Whether its value is not to be found before it is used. */
  readonly isLazy?: boolean;
  /** Finds the value; what it throws says why there is none. */
  readonly resolve: () => Value;
}

/** A chain of variables that is longer is refused: each step takes a part of the stack. */
const DEPTH_LIMIT = 50;

/**
 * Variables whose values are looked for when they are used: what they are made of may be there then. One
 * that has no value explains itself, so that an error at its use names the place where it is set.
 */
export class LateValues {
  readonly #values = new Map<string, LateValue>();
  readonly #names = new Set<string>();
  /** Why variables have no value, until something changes: none is tried twice in between. */
  readonly #failed = new Map<string, Explanation>();
  #depth = 0;
  /** Why the innermost variable has no value: what uses it fails for that reason. */
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
    return this.#values.delete(name);
  }

  clear(): void {
    this.#values.clear();
    this.#names.clear();
    this.#failed.clear();
  }

  /** The names that a variable is made of. */
  namesOf(name: string): readonly string[] {
    return this.#values.get(name)?.names ?? [];
  }

  /** Has variables that had no value tried again, since another value is there or gone. */
  noteChange(name: string): void {
    if (this.#names.has(name)) this.#failed.clear();
  }

  /** Has all variables that had no value tried again. */
  retry(): void {
    this.#failed.clear();
  }

  /** The variables, in the order in which they were set. */
  entries(): Iterable<readonly [name: string, value: LateValue]> {
    return this.#values;
  }

  /** The value of a variable, or why it has none; `undefined` where there is no such variable. */
  find(name: string): Generated | undefined {
    const late = this.#values.get(name);
    if (late === undefined) return undefined;
    if (this.#depth === 0) this.#cause = undefined;
    const known = this.#failed.get(name);
    if (known === undefined) return this.#resolve(name, late);
    this.#cause ??= known;
    return known;
  }

  #resolve(name: string, { place, resolve }: LateValue): Generated {
    this.#failed.set(name, { message: `${place} sets it in terms of itself` });
    this.#depth += 1;
    try {
      if (this.#depth > DEPTH_LIMIT)
        throw new RangeError("Its value takes too many other variables");
      const value = resolve();
      this.#failed.delete(name);
      return { value };
    } catch (error) {
      this.#cause ??= explain(place, error);
      this.#failed.set(name, this.#cause);
      return this.#cause;
    } finally {
      this.#depth -= 1;
    }
  }
}

function explain(place: string, error: unknown): Explanation {
  const [fault] = (error as { readonly faults?: readonly Explanation[] }).faults ?? [];
  const { message, hint } = fault ?? { message: (error as Error).message, hint: undefined };
  const text = `${place} sets it, but ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return hint === undefined ? { message: text } : { message: text, hint };
}
