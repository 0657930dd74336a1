import { createFaultReporter, FAULT_LIMIT, UnresolvedPlaceholderError } from "../faults/mod.ts";
import type { Placeholder, Template } from "../parse/mod.ts";
import {
  isDate,
  isNumberText,
  renderDecimal,
  renderJson,
  type Value,
  type Variables,
} from "../values/mod.ts";
import { createIndentation } from "./indentation.ts";
import type { Place, RenderOptions } from "./render-options.ts";
import { createLookup, type Lookup, resolvePath, resolvePlaceholder } from "./scope.ts";
import { explainUnresolved } from "./unresolved.ts";

/** The rendering of one template: what its placeholders are rendered with, and those without a value. */
interface Rendering {
  readonly template: Template;
  readonly variables: Variables;
  readonly lookUp: Lookup;
  readonly place: Place;
  readonly options: RenderOptions;
  readonly indentationAt: (offset: number) => string;
  readonly missing: Placeholder[];
}

/** Begins the rendering of a template. */
export function createRendering(
  template: Template,
  variables: Variables,
  place: Place,
  options: RenderOptions,
): Rendering {
  const lookUp = createLookup(variables);
  const indentationAt = createIndentation(template.source);
  return { template, variables, lookUp, place, options, indentationAt, missing: [] };
}

/**
 * Renders a placeholder; one without a value is noted and stays as it is written.
 *
 * @param isQuoted Whether it stands inside a JSON string.
 */
export function renderPlaceholder(
  placeholder: Placeholder,
  isQuoted: boolean,
  rendering: Rendering,
): string {
  const value = resolve(placeholder, rendering);
  if (value === undefined) return keep(placeholder, rendering);
  const text = renderScalar(value);
  if (placeholder.kind === "path" && placeholder.encoded === true) {
    return encodePercent(text ?? renderJson(value));
  }
  if (isQuoted) return escapeJson(text ?? renderJson(value));
  return text ?? renderStructure(value, placeholder, rendering);
}

/**
 * Reports the placeholders that had no value, as {@link RenderOptions} say.
 *
 * @throws {UnresolvedPlaceholderError} There are some, and no list receives them.
 */
export function reportMissing({ template, variables, options, missing }: Rendering): void {
  if (missing.length === 0 || options.missing === "keep") return;
  const faults = options.unresolved ?? [];
  const report = createFaultReporter(template, faults);
  for (const placeholder of missing) {
    const { message, hint } = explainUnresolved(placeholder, variables);
    if (!report(placeholder.span, message, hint)) break;
  }
  if (options.unresolved === undefined)
    throw new UnresolvedPlaceholderError(template.source, faults);
}

function resolve(placeholder: Placeholder, rendering: Rendering): Value | undefined {
  const { variables, lookUp, options } = rendering;
  if (placeholder.kind !== "path") return resolvePlaceholder(placeholder, variables);
  const value = resolvePath(placeholder, lookUp);
  return options.admit === undefined ? value : options.admit(value, placeholder, variables);
}

function keep(placeholder: Placeholder, { template, missing }: Rendering): string {
  if (missing.length <= FAULT_LIMIT) missing.push(placeholder);
  return template.source.slice(placeholder.span.start, placeholder.span.end);
}

function renderStructure(
  value: Value,
  { span }: Placeholder,
  { place, indentationAt }: Rendering,
): string {
  if (place === "url" || place === "header") return renderJson(value);
  return renderJson(value, 2, indentationAt(span.start));
}

/** The text of everything except arrays and objects with keys. */
function renderScalar(value: Value): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isDate(value)) return value.toISOString();
  return isNumberText(value) ? value.toString() : undefined;
}

/** A lone surrogate cannot be percent-encoded. */
function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** `JSON.stringify` writes a lone surrogate as an escape, which parses to the same string. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
