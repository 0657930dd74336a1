import {
  type Explanation,
  type LateValue,
  LateValues,
  locate,
  type Scope,
  type Value,
} from "../../interpolation/mod.ts";
import { resolveAssignment } from "./assign.ts";
import type { AssignmentDraft, RequestDraft } from "./draft.ts";
import { placeholdersOf } from "./templates.ts";

/**
 * Converts a variable line to a variable whose value is resolved when it is used. In its own value, its name
 * refers to the variable that it replaces.
 *
 * @param scope The values of its placeholders.
 * @param resolve Resolves the value; throws if there is none.
 */
export function lateLine(
  draft: AssignmentDraft,
  scope: Scope,
  resolve: (scope: Scope) => Value,
): LateValue {
  const { name, span, file } = draft;
  const { line } = locate(draft, span.start);
  const names = placeholdersOf(draft).map((placeholder) => placeholder.name);
  const usesItself = draft.steps !== undefined || names.includes(name);
  const before = usesItself ? scope.get(name) : undefined;
  const own: Scope = {
    ...scope,
    get: (one) => (one === name ? before : scope.get(one)),
    has: (one) => (one === name ? before !== undefined : scope.has(one)),
  };
  return {
    place: file === undefined ? `line ${line}` : `${file}:${line}`,
    names,
    isLazy: draft.isLazy === true,
    resolve: () => resolve(usesItself ? own : scope),
  };
}

/** The variable lines of a text that is not sent: of a preview, or of a check. */
export class LineValues {
  readonly #values = new Map<string, Value>();
  /** Lines whose values have not been resolved yet. */
  readonly late: LateValues = new LateValues();

  /** Sets a variable; if it is lazy or cannot be resolved yet, it is resolved when it is used. */
  set(draft: AssignmentDraft, scope: Scope, resolve: (scope: Scope) => Value): void {
    const late = lateLine(draft, scope, resolve);
    this.delete(draft.name);
    this.late.set(draft.name, late);
    if (draft.isLazy !== true) this.get(draft.name);
  }

  get(name: string): Value | undefined {
    const found = this.late.find(name);
    if (found === undefined || !("value" in found)) return this.#values.get(name);
    this.late.delete(name);
    this.#values.set(name, found.value);
    this.late.noteChange(name);
    return found.value;
  }

  has(name: string): boolean {
    return this.#values.has(name) || this.late.has(name);
  }

  delete(name: string): void {
    this.#values.delete(name);
    this.late.delete(name);
  }

  keys(): Iterable<string> {
    return this.#values.keys();
  }

  /** Explains why a variable of the text has no value. */
  explain(name: string): Explanation | undefined {
    const found = this.late.find(name);
    return found === undefined || "value" in found ? undefined : found;
  }
}

/** Adds the variable lines that apply to one request only, which take precedence. */
export function withGiven({ given = [] }: Pick<RequestDraft, "given">, outer: Scope): Scope {
  if (given.length === 0) return outer;
  const lines = new LineValues();
  const scope: Scope = {
    ...outer,
    get: (name) => (lines.has(name) ? lines.get(name) : outer.get(name)),
    has: (name) => lines.has(name) || outer.has(name),
    keys: () => new Set([...lines.keys(), ...outer.keys()]),
    explain: (name) => lines.explain(name) ?? outer.explain?.(name),
  };
  for (const line of given) lines.set(line, scope, (own) => resolveAssignment(line, own));
  return scope;
}
