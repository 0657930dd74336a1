import { isDate } from "./date.ts";
import { renderDecimal } from "./decimal.ts";
import { UnresolvedPlaceholderError } from "./errors.ts";
import type { Fault } from "./fault.ts";
import { createFaultReporter, type FaultReporter } from "./fault-reporter.ts";
import { renderJson } from "./json.ts";
import { layoutOf } from "./layout.ts";
import { isNumberText } from "./number-text.ts";
import { resolvePath } from "./scope.ts";
import type { Part, PathPlaceholder, Placeholder, Template } from "./template.ts";
import { explainUnresolved } from "./unresolved.ts";
import type { Value, Variables } from "./value.ts";

/**
 * Where rendered text goes. `text`: a body; objects become indented JSON. `url` and `header`: one
 * line; objects become compact JSON. `json`: as `text`, and escaped inside JSON strings.
 */
export type Place = "text" | "url" | "header" | "json";

/** Which placeholder a stretch of rendered text came from: UTF-16 offsets, `end` exclusive. */
export interface RenderedRange {
  readonly placeholder: Placeholder;
  readonly start: number;
  readonly end: number;
}

/** What rendering does beside giving the text. */
export interface RenderOptions {
  /** `keep` leaves a placeholder without a value as it is written; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** Receives what has no value, instead of an error being thrown: the caller throws once for all. */
  readonly unresolved?: Fault[];
  /** Receives what each placeholder produced, in order. */
  readonly ranges?: RenderedRange[];
}

const NO_OPTIONS: RenderOptions = {};

/**
 * Puts values into a template. A value is never looked at for placeholders.
 *
 * @param template What {@link parseTemplate} returned.
 * @param variables The values, by name; what {@link snapshotValue} gave can always be rendered.
 * @param place Where the text goes.
 * @param options What to do about placeholders without a value; ranges.
 * @returns The text; a placeholder without a value stands in it as written.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value, unless
 * `options.unresolved` receives them or `options.missing` is `keep`.
 */
export function renderTemplate(
  template: Template,
  variables: Variables,
  place: Place,
  options: RenderOptions = NO_OPTIONS,
): string {
  return renderParts(template, variables, place, options, undefined);
}

/** Checks what a lookup gave, for values that never went through {@link snapshotValue}. */
export type Admit = (
  value: unknown,
  placeholder: PathPlaceholder,
  variables: Variables,
) => Value | undefined;

/** As {@link renderTemplate}, each value that is no string going through `admit` first. */
export function renderParts(
  template: Template,
  variables: Variables,
  place: Place,
  options: RenderOptions,
  admit: Admit | undefined,
): string {
  const { parts, source } = template;
  const { ranges } = options;
  const quoted = place === "json" ? layoutOf(template).quoted : undefined;
  let missing: Placeholder[] | undefined;
  let text = "";
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Part;
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const start = text.length;
    let value = part.kind === "path" ? resolvePath(part, variables) : undefined;
    if (admit !== undefined && part.kind === "path" && typeof value !== "string") {
      value = admit(value, part, variables);
    }
    if (value === undefined) {
      missing ??= [];
      missing.push(part);
      text += source.slice(part.span.start, part.span.end);
    } else if (quoted !== undefined && quoted[index] === 1) {
      text += escapeJson(renderValue(value, undefined));
    } else if (typeof value === "string") {
      text += value;
    } else {
      const structured = (place === "text" || place === "json") && typeof value === "object";
      text += renderValue(value, structured ? layoutOf(template).indents[index] : undefined);
    }
    ranges?.push({ placeholder: part, start, end: text.length });
  }
  if (missing !== undefined && options.missing !== "keep") {
    reportMissing(source, missing, variables, options.unresolved);
  }
  return text;
}

/** With a margin objects are indented JSON whose further lines begin with it, without one compact. */
function renderValue(value: Value, margin: string | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isDate(value)) return value.toISOString();
  if (isNumberText(value)) return value.toString();
  return margin === undefined ? renderJson(value) : renderJson(value, 2, margin);
}

/** `JSON.stringify` writes a lone surrogate as an escape, so that it comes back as it was. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function reportMissing(
  source: string,
  missing: readonly Placeholder[],
  variables: Variables,
  unresolved: Fault[] | undefined,
): void {
  const faults = unresolved ?? [];
  const report: FaultReporter = createFaultReporter(source, faults);
  for (const placeholder of missing) {
    const { message, hint } = explainUnresolved(placeholder, variables);
    if (!report(placeholder.span, message, hint)) break;
  }
  if (unresolved === undefined) throw new UnresolvedPlaceholderError(source, faults);
}
