import {
  createLookup,
  type Explanation,
  type Fault,
  fillTemplate,
  isMap,
  isNumberText,
  type LateValue,
  LateValues,
  locate,
  namedIn,
  parseWrittenNumber,
  type Reference,
  renderTemplate,
  type Scope,
  type Template,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
  variablesNamed,
  writeTemplate,
} from "../interpolation/mod.ts";
import type { AssignmentDraft, RequestDraft } from "./draft.ts";
import { placeholdersOf } from "./templates.ts";

/** Options of {@link resolveAssignment}. */
interface ResolveAssignmentOptions {
  /** Parses JSON, for example with the text of the numbers in structures; `JSON.parse` by default. */
  readonly parseJson?: (text: string) => Value;
  /** `keep` leaves placeholders without a value unchanged; `error` is the default. */
  readonly missing?: "error" | "keep";
}

/**
 * Evaluates a line `@name = value`. A JSON literal is JSON, a placeholder alone is its value with its type, and
 * anything else is a string. A name with dots sets a property of the variable.
 *
 * @param draft An assignment from {@link parseEntries}.
 * @param variables The values of its placeholders.
 * @param options How to parse JSON; what to do about placeholders without a value.
 * @returns The value to store under `draft.name`.
 * @throws {UnresolvedPlaceholderError} With all placeholders without a value.
 */
export function resolveAssignment(
  draft: AssignmentDraft,
  variables: Variables,
  options: ResolveAssignmentOptions = {},
): Value {
  const value = resolveLine(draft, variables, options);
  if (draft.steps === undefined) return value;
  return withProperty(createLookup(variables)(draft.name), draft.steps, value);
}

function withProperty(
  whole: Value | undefined,
  [step, ...below]: readonly string[],
  value: Value,
): Value {
  if (step === undefined) return value;
  const own = isObject(whole) ? whole : {};
  return { ...own, [step]: withProperty(own[step], below, value) };
}

function isObject(value: Value | undefined): value is { readonly [key: string]: Value } {
  const isRecord = Object.prototype.toString.call(value) === "[object Object]";
  return isRecord && !isNumberText(value as object);
}

function resolveLine(
  draft: AssignmentDraft,
  variables: Variables,
  options: ResolveAssignmentOptions,
): Value {
  const { parts } = draft.value;
  const missing = options.missing ?? "error";
  const parseJson = options.parseJson ?? parsePlainJson;
  const [first] = parts;
  if (first === undefined) return "";
  const reference = referenceOfLine(draft, variables);
  if (reference !== undefined) return reference.resolve();
  const asText = (): Value => fillTemplate(withEscapes(draft.value), variables, { missing });
  if (typeof first !== "string") return asText();
  if (parts.length === 1) return parseOr(first, parseJson, asText);
  if (!/^[[{"]/.test(first)) return asText();
  const unresolved: Fault[] = [];
  const json = renderTemplate(draft.value, variables, "json", { missing, unresolved });
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  return parseOr(json, parseJson, asText);
}

/** The reference that a line is written as: what fills a placeholder is none, whatever it looks like. */
export function referenceOfLine(
  { value }: AssignmentDraft,
  variables: Variables,
): Reference | undefined {
  const [first] = value.parts;
  if (typeof first !== "string" || !first.includes("://") || !isMap(variables)) return undefined;
  return variables.reference?.(writeTemplate(value));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Line breaks and tabs of a text, as in VS Code's REST Client: `a\nb`. A Windows path has backslashes of its own. */
function withEscapes(template: Template): Template {
  const { parts } = template;
  if (/^(?:[a-z]:|\\)\\/i.test(typeof parts[0] === "string" ? parts[0] : "")) return template;
  const readEscapes = (text: string): string =>
    text.replace(/(\\?)\\([nrt])/g, (_, escaped: string, letter: string) =>
      escaped === "" ? (ESCAPES[letter] ?? "") : `\\${letter}`,
    );
  return {
    ...template,
    parts: parts.map((part) => (typeof part === "string" ? readEscapes(part) : part)),
  };
}

/** A number keeps its text; those inside a structure need a parser that keeps them. */
function parsePlainJson(text: string): Value {
  const value: Value = JSON.parse(text);
  return typeof value === "number" ? parseWrittenNumber(text.trim()) : value;
}

function parseOr(text: string, parseJson: (text: string) => Value, otherwise: () => Value): Value {
  try {
    return parseJson(text);
  } catch {
    // Anything but JSON is a string.
    return otherwise();
  }
}

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
  const reference = referenceOfLine(draft, scope);
  const names =
    reference === undefined ? placeholdersOf(draft).flatMap(variablesNamed) : [reference.text];
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
    isLazy: draft.isLazy === true || reference !== undefined,
    ...(reference !== undefined && draft.steps === undefined && { scheme: reference.scheme }),
    resolve: () => resolve(usesItself ? own : scope),
  };
}

/** A line with the variable that it sets: what a placeholder with its name reads. */
export function targetOf(draft: AssignmentDraft, scope: Scope): AssignmentDraft {
  const { steps = [], ...line } = draft;
  if (steps.length === 0) return draft;
  const text = [draft.name, ...steps].join(".");
  const path = namedIn(scope, { kind: "path", name: draft.name, steps, text, span: draft.span });
  const below = steps.slice(steps.length - path.steps.length);
  return below.length === 0
    ? { ...line, name: path.name }
    : { ...line, name: path.name, steps: below };
}

/** The variable lines of a text that is not sent: of a preview, or of a check. */
export class LineValues {
  readonly #values = new Map<string, Value>();
  /** Lines whose values have not been resolved yet. */
  readonly late: LateValues = new LateValues();

  /** Sets a variable; if it is lazy or cannot be resolved yet, it is resolved when it is used. */
  set(
    draft: AssignmentDraft,
    scope: Scope,
    resolve: (line: AssignmentDraft, scope: Scope) => Value,
  ): void {
    const line = targetOf(draft, scope);
    const late = lateLine(line, scope, (own) => resolve(line, own));
    this.delete(line.name);
    this.late.keep = (name) => this.get(name);
    this.late.set(line.name, late);
    if (line.isLazy !== true) this.get(line.name);
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
    explain: (name, steps) => lines.explain(name) ?? outer.explain?.(name, steps),
  };
  for (const line of given) lines.set(line, scope, resolveAssignment);
  return scope;
}
