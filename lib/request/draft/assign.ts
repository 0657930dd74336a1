import {
  createLookup,
  type Fault,
  isNumberText,
  parseWrittenNumber,
  renderTemplate,
  resolvePlaceholder,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
} from "../../interpolation/mod.ts";
import type { AssignmentDraft } from "./draft.ts";

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
  if (typeof first !== "string") {
    const isValue = parts.length === 1 && !(first.kind === "path" && first.encoded === true);
    const value = isValue ? resolvePlaceholder(first, variables) : undefined;
    if (value !== undefined) return value;
    return renderTemplate(draft.value, variables, "text", { missing });
  }
  if (parts.length === 1) return parseOr(first, parseJson, () => first);
  if (!/^[[{"]/.test(first)) return renderTemplate(draft.value, variables, "text", { missing });
  const unresolved: Fault[] = [];
  const json = renderTemplate(draft.value, variables, "json", { missing, unresolved });
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  return parseOr(json, parseJson, () =>
    renderTemplate(draft.value, variables, "text", { missing }),
  );
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
