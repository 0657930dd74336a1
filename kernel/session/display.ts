import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import {
  createDisplayable,
  html,
  looksLikeBundle,
  type Markup,
  svg,
  toBundle,
} from "../../lib/display/mod.ts";
import { isExchange } from "../../lib/mod.ts";
import type { Shown } from "./cell/mod.ts";
import { type DisplayQueue, displaysOf } from "./display-queue.ts";
import { type CellOutput, currentOutput } from "./output.ts";

/** Options of `display`. */
interface DisplayOptions {
  /** The identifier of the output, which a later call can replace. */
  readonly id?: string;
  /** The same, as `deno jupyter` calls it. */
  readonly display_id?: string;
  /** Whether the value takes the place of the output with the identifier. */
  readonly update?: boolean;
}

type Template = readonly [strings: TemplateStringsArray, ...values: unknown[]];
type Source = readonly [source: string | Markup, options?: DisplayOptions];

/** What `display` returns: an output that can be replaced. It is not shown as a result. */
export class DisplayHandle {
  readonly id: string;
  readonly #update: (value: unknown) => void;

  constructor(id: string, update: (value: unknown) => void) {
    this.id = id;
    this.#update = update;
  }

  /** Shows another value in its place; below it at a prompt. */
  update(value: unknown): void {
    this.#update(value);
  }
}

/** The declaration of the global `display` of TypeScript cells, in the form of `declare global`. */
export const DISPLAY_TYPES = `
  /**
   * Shows a value in the output of the cell. An object whose keys are media types is shown as them:
   * \`display({ "image/svg+xml": "<svg …>" })\`.
   */
  function display(value: unknown, options?: display.Options): display.Handle;
  namespace display {
    interface Options {
      /** The identifier of the output, by which a later call replaces it. */
      readonly id?: string;
      /** The same, as \`deno jupyter\` calls it. */
      readonly display_id?: string;
      /** Whether the value takes the place of the output with the identifier. */
      readonly update?: boolean;
    }
    /** An output that can be replaced. */
    interface Handle {
      readonly id: string;
      /** Shows another value in its place. */
      update(value: unknown): void;
    }
    /**
     * Shows the HTML of a template, which escapes what it inserts, such as texts of an answer:
     * display.html\`<b>\${name}</b>\`
     */
    function html(strings: TemplateStringsArray, ...values: unknown[]): Handle;
    /** Shows HTML as it is, scripts included. For texts of an answer use a template, which escapes them. */
    function html(source: string | { readonly source: string }, options?: Options): Handle;
    /** Shows the SVG of a template, which escapes what it inserts, such as texts of an answer. */
    function svg(strings: TemplateStringsArray, ...values: unknown[]): Handle;
    /** Shows SVG as it is. For texts of an answer use a template, which escapes them. */
    function svg(source: string | { readonly source: string }, options?: Options): Handle;
    /** Shows Markdown as it is, with the HTML in it. */
    function markdown(source: string, options?: Options): Handle;
    /** Shows data as JSON, in JupyterLab as a tree. */
    function json(value: unknown, options?: Options): Handle;
    /** Shows an image: its bytes, base64 or a data URL, or an answer. */
    function image(
      image: Uint8Array | ArrayBuffer | string | object,
      options?: Options & { readonly type?: string },
    ): Handle;
  }
`;

/** Creates the global `display` of TypeScript cells. */
export function createDisplay(): object {
  const display = (value: unknown, options: DisplayOptions = {}): DisplayHandle => {
    const output = currentOutput();
    if (output === undefined) throw new Error("Calling display failed: no cell is running");
    const { sink } = output;
    const displays = displaysOf(output);
    const id = options.id ?? options.display_id ?? randomUUID();
    const first = (shown: Shown): void => {
      if (sink.displayWithId === undefined) sink.display(shown);
      else sink.displayWithId(shown, id);
    };
    // The cell that updates is the one whose output changes, as front ends that run one cell after another see it.
    const replace = (next: unknown, { sink }: CellOutput, displays: DisplayQueue): void => {
      const show = (shown: Shown): void =>
        sink.update === undefined ? sink.display(shown) : sink.update(id, shown);
      displays.add(next, show, formOf(next));
    };
    if (options.update === true) replace(value, output, displays);
    else displays.add(value, first, formOf(value));
    return new DisplayHandle(id, (next) => {
      const updating = currentOutput() ?? output;
      replace(next, updating, displaysOf(updating));
    });
  };
  const markup = (name: "html" | "svg", mediaType: string, tag: typeof html) => {
    return (...given: Template | Source): DisplayHandle => {
      const [first, second] = given;
      if (isTemplate(given)) return display(tag(...given));
      const source =
        typeof first === "string" ? first : (first as Markup | undefined | null)?.source;
      return display(textPart(name, mediaType, source), second as DisplayOptions | undefined);
    };
  };
  return Object.assign(display, {
    html: markup("html", "text/html", html),
    svg: markup("svg", "image/svg+xml", svg),
    markdown: (source: string, options?: DisplayOptions) =>
      display(textPart("markdown", "text/markdown", source), options),
    json: (value: unknown, options?: DisplayOptions) =>
      display({ "application/json": value }, options),
    image: (image: unknown, options: DisplayOptions & { readonly type?: string } = {}) =>
      display(isExchange(image) ? image : imagePart(image, options.type), options),
  });
}

function isTemplate(given: Template | Source): given is Template {
  return Array.isArray(given[0]);
}

function textPart(name: string, mediaType: string, source: unknown): object {
  if (typeof source === "string") return { [mediaType]: source };
  throw new TypeError(`Calling display.${name} failed: the source is not a string`);
}

/** What displays a value: an object of media types is shown as them. */
function formOf(value: unknown): unknown {
  return looksLikeBundle(value) ? createDisplayable(toBundle(value) ?? {}) : value;
}

/** Media types of images by the first bytes, as Latin-1. */
const SIGNATURES: readonly (readonly [bytes: RegExp, mediaType: string])[] = [
  [/^\x89PNG\r\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[\s\S]{4}WEBP/, "image/webp"],
  [/^BM/, "image/bmp"],
  [/^[\s\S]{4}ftypavif/, "image/avif"],
];

const DATA_URL = /^data:(image\/[\w.+-]+);base64,/;

/**
 * An image as a bundle.
 *
 * @param image Its bytes, base64 or a data URL.
 * @param type Its media type, if its bytes do not show it.
 * @throws {TypeError} It is not an image.
 */
function imagePart(image: unknown, type?: string): Readonly<Record<string, string>> {
  const base64 = toBase64(image);
  const start = Buffer.from(base64.slice(0, 32), "base64").toString("latin1");
  const found = SIGNATURES.find(([bytes]) => bytes.test(start))?.[1];
  const mediaType = type ?? found;
  if (mediaType !== undefined && /^image\/(?!svg)/.test(mediaType)) return { [mediaType]: base64 };
  throw new TypeError(
    "Calling display.image failed: the bytes are not a PNG, JPEG, GIF, WebP, AVIF or BMP image; " +
      'display.svg shows SVG, and the option "type" names another media type',
  );
}

function toBase64(image: unknown): string {
  if (typeof image === "string") return image.replace(DATA_URL, "").replace(/\s+/g, "");
  if (image instanceof ArrayBuffer) return Buffer.from(image).toString("base64");
  if (!ArrayBuffer.isView(image)) {
    throw new TypeError(
      "Calling display.image failed: give bytes, base64, a data URL or an answer",
    );
  }
  return Buffer.from(image.buffer, image.byteOffset, image.byteLength).toString("base64");
}
