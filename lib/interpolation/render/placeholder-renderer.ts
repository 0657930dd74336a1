import { createFaultReporter, FAULT_LIMIT, UnresolvedPlaceholderError } from "../faults/mod.ts";
import type { PathPlaceholder, Placeholder } from "../parse/mod.ts";
import type { Value, Variables } from "../values/mod.ts";
import { isDate, isNumberText, renderDecimal, renderJson } from "../values/mod.ts";
import { createIndentation } from "./indentation.ts";
import type { Place, RenderOptions } from "./render-options.ts";
import { createLookup, type Lookup, resolvePath, resolvePlaceholder } from "./scope.ts";
import { explainUnresolved } from "./unresolved.ts";

/** Checks what a lookup gave, for values that were never stored and might be anything. */
export type Admit = (
  value: unknown,
  placeholder: PathPlaceholder,
  variables: Variables,
) => Value | undefined;

/**
 * Renders the placeholders of one template and gathers what has no value. A class, because this is
 * the hot path and an object of one shape costs less than closures.
 */
export class PlaceholderRenderer {
  readonly #source: string;
  readonly #variables: Variables;
  readonly #lookUp: Lookup;
  readonly #place: Place;
  readonly #options: RenderOptions;
  readonly #admit: Admit | undefined;
  #missing: Placeholder[] | undefined;
  #indentation: ((offset: number) => string) | undefined;

  constructor(
    source: string,
    variables: Variables,
    place: Place,
    options: RenderOptions,
    admit?: Admit,
  ) {
    this.#source = source;
    this.#variables = variables;
    this.#lookUp = createLookup(variables);
    this.#place = place;
    this.#options = options;
    this.#admit = admit;
  }

  /** What stands for a placeholder; `quoted` where that is inside a JSON string. */
  render(placeholder: Placeholder, quoted: boolean): string {
    const value = this.#resolve(placeholder);
    if (value === undefined) return this.#keep(placeholder);
    if (placeholder.kind === "path" && placeholder.encoded === true) {
      return encodePercent(renderScalar(value) ?? renderJson(value));
    }
    if (!quoted) {
      if (typeof value === "string") return value;
      return renderScalar(value) ?? this.#renderStructure(value, placeholder);
    }
    return escapeJson(renderScalar(value) ?? renderJson(value));
  }

  /** Tells or throws what had no value, as {@link RenderOptions} says. */
  finish(): void {
    if (this.#missing !== undefined && this.#options.missing !== "keep")
      this.#report(this.#missing);
  }

  #resolve(placeholder: Placeholder): Value | undefined {
    if (placeholder.kind !== "path") return resolvePlaceholder(placeholder, this.#variables);
    const value = resolvePath(placeholder, this.#lookUp);
    if (this.#admit === undefined || typeof value === "string") return value;
    return this.#admit(value, placeholder, this.#variables);
  }

  #keep(placeholder: Placeholder): string {
    this.#missing ??= [];
    if (this.#missing.length <= FAULT_LIMIT) this.#missing.push(placeholder);
    return this.#source.slice(placeholder.span.start, placeholder.span.end);
  }

  #renderStructure(value: Value, placeholder: Placeholder): string {
    if (this.#place === "url" || this.#place === "header") return renderJson(value);
    this.#indentation ??= createIndentation(this.#source);
    return renderJson(value, 2, this.#indentation(placeholder.span.start));
  }

  #report(missing: readonly Placeholder[]): void {
    const faults = this.#options.unresolved ?? [];
    const report = createFaultReporter(this.#source, faults);
    for (const placeholder of missing) {
      const { message, hint } = explainUnresolved(placeholder, this.#variables);
      if (!report(placeholder.span, message, hint)) break;
    }
    if (faults !== this.#options.unresolved) {
      throw new UnresolvedPlaceholderError(this.#source, faults);
    }
  }
}

/** The text of everything but arrays and objects with keys. */
function renderScalar(value: Value): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isDate(value)) return value.toISOString();
  return isNumberText(value) ? value.toString() : undefined;
}

/** A lone surrogate has no form in a URL. */
function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** `JSON.stringify` writes a lone surrogate as an escape, so that it comes back as it was. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
