import { denoInspect, jupyterDisplay, nodeInspect } from "../exchange/mod.ts";
import { dataOf } from "../interpolation/mod.ts";
import { escapeHtml, escapeHtmlText } from "./escape.ts";

/** A value that displays itself. */
export interface Displayable {
  /** The value, by media type. */
  [jupyterDisplay](): Readonly<Record<string, unknown>>;
}

/** Creates a value that displays itself as a bundle. */
export function createDisplayable(bundle: Readonly<Record<string, unknown>>): Displayable {
  return { [jupyterDisplay]: () => bundle };
}

/** Markup of the tags {@link html} and {@link svg}. As the result of a cell, it displays itself. */
export interface Markup extends Displayable {
  /** The source text. */
  readonly source: string;
  /** The source text. */
  toString(): string;
}

/**
 * A template tag for HTML. Values are escaped, so that a text from an answer stays text; markup of
 * {@link html} and {@link svg} is inserted as it is, and the items of a list one after the other.
 *
 * @throws {TypeError} A value is inside a script, a style sheet or an event handler, or in a tag outside of
 *   quotes: escaping is not enough there.
 * @example
 * ```ts
 * const names = ["Ada", "<b>Ben</b>"];
 * String(html`<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`);
 * // "<ul><li>Ada</li><li>&lt;b&gt;Ben&lt;/b&gt;</li></ul>"
 * ```
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  return new EscapedMarkup(fill("html", strings, values), "text/html");
}

/**
 * A template tag for SVG, like {@link html}.
 *
 * @example
 * ```ts
 * String(svg`<svg><text>${"a < b"}</text></svg>`); // "<svg><text>a &lt; b</text></svg>"
 * ```
 */
export function svg(strings: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  return new EscapedMarkup(fill("svg", strings, values), "image/svg+xml");
}

/** Marks the markup of any copy of the library; no data has a symbol. */
const MARKUP: unique symbol = Symbol.for("restlab.markup");

function isMarkup(value: unknown): value is Markup {
  return typeof value === "object" && dataOf(value, MARKUP) === true;
}

/** Markup in which the texts that were inserted cannot act. */
class EscapedMarkup implements Markup {
  readonly [MARKUP] = true;
  readonly source: string;
  readonly #mediaType: string;

  constructor(source: string, mediaType: string) {
    this.source = source;
    this.#mediaType = mediaType;
  }

  [jupyterDisplay](): Readonly<Record<string, unknown>> {
    return { [this.#mediaType]: this.source };
  }

  toString(): string {
    return this.source;
  }

  [nodeInspect](): string {
    return this.source;
  }

  [denoInspect](): string {
    return this.source;
  }
}

function fill(tag: string, strings: TemplateStringsArray, values: readonly unknown[]): string {
  if (!Array.isArray(strings) || !Array.isArray(strings.raw)) {
    throw new TypeError(
      `Calling ${tag} failed: it is a template tag, as in ${tag}\`<b>\${name}</b>\``,
    );
  }
  let source = strings[0] ?? "";
  for (const [at, value] of values.entries()) {
    source += insert(tag, source, value) + (strings[at + 1] ?? "");
  }
  return source;
}

/** Places, by the source before them, where an escaped value could still act. */
const FORBIDDEN: readonly (readonly [place: RegExp, where: string])[] = [
  [/<script\b(?![\s\S]*<\/script)/i, "in a script"],
  [/<style\b(?![\s\S]*<\/style)/i, "in a style sheet"],
  [/<[^<>]*[\s"'/]on\w+\s*=\s*(?:"[^"]*|'[^']*)$/i, "in an event handler"],
  [/<[^<>]*[\s"'/]srcdoc\s*=\s*(?:"[^"]*|'[^']*)$/i, "in the page of a frame"],
  [/<\/?(?:[a-z](?:[^<>"']|"[^"]*"|'[^']*')*)?$/i, "in a tag outside of quotes"],
];
/** The beginning of an address. */
const ADDRESS =
  /[\s"'/](?:[\w-]+:)?(?:href|src|action|formaction|data|poster)\s*=\s*["']([^"']*)$/i;
const PROGRAM = /^(?:javascript:|vbscript:|data:(?!image\/(?:png|jpeg|gif|webp|avif|bmp)[;,]))/i;

function insert(tag: string, before: string, value: unknown): string {
  const place = FORBIDDEN.find(([pattern]) => pattern.test(before));
  if (place !== undefined) {
    throw new TypeError(
      `Cannot insert a value ${place[1]} with the tag ${tag}: it would not be escaped`,
    );
  }
  const text = toMarkup(value, escapeFor(tag, before));
  const [, begun] = ADDRESS.exec(before) ?? [];
  // Browsers ignore control characters and blanks in the scheme of a URL.
  if (begun === undefined || !PROGRAM.test(`${begun}${value}`.replace(/[\0- ]/g, ""))) return text;
  throw new TypeError(
    `Cannot insert the address ${JSON.stringify(cut(value))}: it is not a web address`,
  );
}

const cut = (value: unknown): string => String(value).slice(0, 80);

/** Places, by the source before them, where the text of an element cannot contain another element. */
const ONLY_TEXT = /<[^>]*$|<(?:title|textarea|option|desc)\b[^>]*>[^<]*$/i;
const DRAWING = /<svg\b(?![\s\S]*<\/svg)/i;

type Escape = (text: string) => string;

function escapeFor(tag: string, before: string): Escape {
  if (ONLY_TEXT.test(before)) return escapeHtml;
  const isDrawing = tag === "svg" || DRAWING.test(before);
  return (text) => escapeHtmlText(text, isDrawing ? "tspan" : "span");
}

function toMarkup(value: unknown, escapeText: Escape): string {
  if (isMarkup(value)) return value.source;
  if (Array.isArray(value)) return value.map((item) => toMarkup(item, escapeText)).join("");
  return value === undefined || value === null || value === false ? "" : escapeText(String(value));
}
