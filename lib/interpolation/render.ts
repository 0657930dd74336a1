import {
  createFaultReporter,
  FAULT_LIMIT,
  type Fault,
  UnresolvedPlaceholderError,
} from "./fault.ts";
import { parseTemplate } from "./parse.ts";
import { writtenAt } from "./path.ts";
import {
  createLookup,
  isPresent,
  type Lookup,
  namedIn,
  resolvePlaceholder,
  variableOf,
  withOtherwise,
} from "./scope.ts";
import { refuseValue, snapshotValue } from "./snapshot.ts";
import type { Encoding, PathPlaceholder, Placeholder, Template } from "./template.ts";
import { explainUnresolved } from "./unresolved.ts";
import {
  isDate,
  isNumberText,
  isPlainJson,
  renderDecimal,
  renderJson,
  type Value,
  type Variables,
  type Whole,
  wholeValue,
} from "./value.ts";

/**
 * Inserts values into a template. Values are never parsed for placeholders.
 *
 * @param template A template of {@link parseTemplate}.
 * @param variables The values, by name; every copy of {@link snapshotValue} can be rendered.
 * @param place Where the text goes.
 * @param options What happens to placeholders without a value; ranges.
 * @returns The text; a placeholder without a value stays in it as written.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value, unless
 * `options.unresolved` receives them or `options.missing` is `keep`.
 */
export function renderTemplate(
  template: Template,
  variables: Variables,
  place: Place,
  options: RenderOptions = {},
): string {
  const rendering = createRendering(template, variables, place, options);
  let text = "";
  let isQuoted = false;
  for (const part of template.parts) {
    if (typeof part === "string") {
      text += part;
      isQuoted = place.startsWith("json") && endsInString(part, isQuoted);
    } else {
      const start = text.length;
      text += renderPlaceholder(part, isQuoted, rendering);
      options.ranges?.push({ placeholder: part, start, end: text.length });
    }
  }
  reportMissing(rendering);
  return text;
}

/**
 * Whether text ends inside a JSON string. Only literal text counts: a value cannot open or close a
 * string.
 */
function endsInString(text: string, beginsInString: boolean): boolean {
  let inString = beginsInString;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"') inString = !inString;
    else if (text[index] === "\\" && inString) index += 1;
  }
  return inString;
}

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
function createRendering(
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
function renderPlaceholder(
  placeholder: Placeholder,
  isQuoted: boolean,
  rendering: Rendering,
): string {
  const value = resolve(placeholder, rendering);
  if (value === undefined) return keep(placeholder, rendering);
  const { encoding } = placeholder;
  const plain = renderScalar(value);
  const text = encoding === undefined ? plain : ENCODINGS[encoding](plain ?? renderJson(value));
  if (placeholder.within !== undefined) {
    return ESCAPES[placeholder.within](text ?? renderJson(value));
  }
  if (isQuoted) return escapeJson(text ?? renderJson(value));
  return text ?? renderStructure(value, placeholder, rendering);
}

/**
 * Reports the placeholders that had no value, as {@link RenderOptions} say.
 *
 * @throws {UnresolvedPlaceholderError} There are some, and no list receives them.
 */
function reportMissing({ template, variables, options, missing }: Rendering): void {
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
  const named = placeholder.steps.length === 0 ? placeholder : namedIn(variables, placeholder);
  const known = lookUp(named.name);
  const variable = known === undefined ? variableOf(named, variables) : known;
  const value = withOtherwise(writtenAt(variable, named), placeholder);
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
  const isWhole = place === "text" || place === "json";
  return isWhole ? renderJson(value, 2, indentationAt(span.start)) : renderJson(value);
}

/** The text of everything except arrays and objects with keys. */
function renderScalar(value: Value): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isDate(value)) return value.toISOString();
  if (isNumberText(value)) return value.toString();
  const whole = (value as Whole)[wholeValue];
  return whole === undefined ? undefined : renderScalar(whole);
}

const ENCODINGS: Readonly<Record<Encoding, (text: string) => string>> = {
  percent: encodePercent,
  xml: (text) => text.replace(/[&<>"']/g, (character) => REFERENCES[character] as string),
  json: escapeJson,
};

/** The predefined entities (XML 1.0, 4.6). */
const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A lone surrogate cannot be percent-encoded. */
function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

const ESCAPES: Readonly<Record<NonNullable<PathPlaceholder["within"]>, (text: string) => string>> =
  {
    "part-name": escapePartName,
    // GraphQL has the escapes of JSON (October 2021, 2.9.4); in a block string only its end can be escaped.
    string: escapeJson,
    "block-string": escapeBlock,
    // A line break at the end is not a part of the string, and keeps these from its quotes.
    "block-string-end": (text) =>
      /["\\]$/.test(text) ? `${escapeBlock(text)}\n` : escapeBlock(text),
  };

function escapeBlock(text: string): string {
  return text.replaceAll('"""', '\\"""');
}

/** As curl and browsers escape the names of a form: a quote or a line break would end them. */
export function escapePartName(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** `JSON.stringify` writes a lone surrogate as an escape, which parses to the same string. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Where rendered text goes. `text`: a body; objects become indented JSON. `url` and `header`: one
 * line; objects become compact JSON. `json`: like `text`, with values escaped inside JSON strings.
 * `lines` and `json-lines`: like `text` and `json`, with an object on one line.
 */
export type Place = "text" | "url" | "header" | "json" | "lines" | "json-lines";

/** The range of rendered text that a placeholder produced, in UTF-16 offsets. */
export interface RenderedRange {
  /** The placeholder. */
  readonly placeholder: Placeholder;
  /** The start of its text. */
  readonly start: number;
  /** The end of its text, exclusive. */
  readonly end: number;
}

/** Options of rendering a template. */
interface RenderOptions {
  /** `keep` leaves a placeholder without a value as written; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** Receives the placeholders without a value instead of an error: the caller throws once for all. */
  readonly unresolved?: Fault[];
  /** Receives the range that each placeholder produced, in order. */
  readonly ranges?: RenderedRange[];
  /** Checks and converts values that were not stored by {@link snapshotValue}. */
  readonly admit?: (
    value: unknown,
    placeholder: PathPlaceholder,
    variables: Variables,
  ) => Value | undefined;
}

/**
 * Creates a function that gives the indentation of the line that an offset lies in. For ascending
 * offsets it reads the text once, however long its lines are.
 */
function createIndentation(source: string): (offset: number) => string {
  let lineStart = 0;
  let lineEnd = -1;
  return (offset) => {
    if (offset < lineStart) [lineStart, lineEnd] = [0, -1];
    for (;;) {
      if (lineEnd < lineStart) lineEnd = endOfLine(source, lineStart);
      if (lineEnd >= offset) break;
      lineStart = lineEnd + 1;
    }
    let end = lineStart;
    while (end < offset && (source[end] === " " || source[end] === "\t")) end += 1;
    return source.slice(lineStart, end);
  };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}

const PLACES: ReadonlySet<string> = new Set<Place>([
  "text",
  "url",
  "header",
  "json",
  "lines",
  "json-lines",
]);

/**
 * Fills the placeholders of a text.
 *
 * @param template Text with placeholders such as `{{name}}`, `{{user.tags[0]}}`, `{{head["a b"]}}`.
 * @param variables The values, by name: a `Map` or a plain object.
 * @param place Where the text goes; `text` by default.
 * @returns The text.
 * @throws {TemplateSyntaxError} With every broken placeholder.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value.
 * @throws {TypeError} A value cannot be rendered, for example a function or a cycle.
 * @example
 * ```ts
 * interpolate("/users/{{user.id}}", { user: { id: 7 } }); // "/users/7"
 * interpolate('{"name": "{{name}}"}', { name: 'Ada "L"' }, "json"); // '{"name": "Ada \\"L\\""}'
 * interpolate("?filter={{filter}}", { filter: { tags: ["a"] } }, "url"); // '?filter={"tags":["a"]}'
 * ```
 */
export function interpolate(
  template: string,
  variables: Variables | Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>,
  place: Place = "text",
): string {
  if (typeof template !== "string") {
    throw new TypeError(
      `Cannot interpolate: the template is of the type ${typeof template}, not a string`,
    );
  }
  if (typeof variables !== "object" || variables === null) {
    throw new TypeError("Cannot interpolate: the variables are neither an object nor a Map");
  }
  if (!PLACES.has(place)) {
    throw new TypeError(`Cannot interpolate for place "${place}": use ${[...PLACES].join(", ")}`);
  }
  return renderTemplate(parseTemplate(template), variables as Variables, place, { admit });
}

/** The caller's values were never stored: each one that is used is checked as by `setVar`. */
function admit(
  value: unknown,
  placeholder: PathPlaceholder,
  variables: Variables,
): Value | undefined {
  if (isPlainJson(value)) return value;
  if (value !== undefined) return snapshotValue(value, placeholder.text);
  if (isPresent(placeholder, variables)) throw refuseValue(undefined).at(placeholder.text);
  return undefined;
}
