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

/** How the value of a variable line is found. */
export interface ResolveAssignmentOptions {
  /** Reads JSON; one that keeps the text of numbers in structures may stand in for `JSON.parse`. */
  readonly parseJson?: (text: string) => Value;
  /** `keep` leaves placeholders without a value as they stand; `error` is the default. */
  readonly missing?: "error" | "keep";
}

/**
 * Finds the value of a line `@name = value`. A JSON literal is JSON, a placeholder alone is the
 * value that it names, with its type, and anything else is a string. Where the name has dots it is
 * that of a property: the value is the variable's, with that property set.
 *
 * @param draft What {@link parseEntries} returned.
 * @param variables The values that its placeholders name.
 * @param options How JSON is read; what to do about placeholders without a value.
 * @returns The value, to be stored under `draft.name`.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value.
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

/** A number keeps its text; those inside a structure need a reader that keeps them. */
function parsePlainJson(text: string): Value {
  const value: Value = JSON.parse(text);
  return typeof value === "number" ? parseWrittenNumber(text.trim()) : value;
}

/** `null` is a value as well, so that the fallback is asked for by what the reader throws. */
function parseOr(text: string, parseJson: (text: string) => Value, otherwise: () => Value): Value {
  if (!/^[\s[{"\d\-tfn]/.test(text)) return otherwise();
  try {
    return parseJson(text);
  } catch {
    // No JSON: the rule says that it is a string then.
    return otherwise();
  }
}
