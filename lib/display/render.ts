import type { Block } from "./block.ts";
import { DISPLAY, type MimeBundle } from "./bundle.ts";
import { cutText } from "./compact.ts";
import { type ErrorOptions, isError, viewError } from "./error.ts";
import { viewExchange } from "./exchange.ts";
import { toHtml } from "./html.ts";
import { type Inspect, inspectPlainly } from "./inspect.ts";
import { toJson } from "./json.ts";
import { isRecord } from "./kinds.ts";
import { DEFAULT_LIMITS, halve, type Limits } from "./limits.ts";
import { toMarkdown } from "./markdown.ts";
import { toText } from "./text.ts";
import { isExchange, viewValue } from "./value.ts";
import { toVisibleText } from "./visible.ts";

/** How a value is shown. */
export interface RenderOptions extends ErrorOptions {
  /** Says in plain text what a value is; pass `util.inspect` where there is one. */
  readonly inspect?: Inspect;
  /**
   * Whether a JSON body is added as `application/json`. JupyterLab shows that form before any
   * other, so pass false where the table shall be seen there.
   */
  readonly json?: boolean;
}

/**
 * Shows a value in every form that fits it: a request with its answer, a list of them, an error,
 * data, or whatever shows itself by `Symbol.for("Jupyter.display")`. The forms together stay below
 * the limit in bytes, whatever the value is. `undefined` gives an empty text.
 *
 * @param value What is to be shown. Of a promise, or of a value that shows itself later, only the
 *   plain text is there; await it by {@link renderBundleAsync}.
 * @example
 * ```ts
 * renderBundle(42n)["text/plain"]; // "42n"
 * ```
 */
export function renderBundle(value: unknown, options: RenderOptions = {}): MimeBundle {
  if (value === undefined) return { "text/plain": "" };
  try {
    return showItself(value) ?? renderWithin(value, options);
  } catch (error) {
    // A getter or a proxy of the value threw: that is what there is to see.
    return renderWithin(error instanceof Error ? error : new Error(String(error)), options);
  }
}

/** Shows a value as {@link renderBundle} does, after awaiting it and what shows itself later. */
export async function renderBundleAsync(
  value: unknown,
  options: RenderOptions = {},
): Promise<MimeBundle> {
  const settled = await value;
  const method = displayMethod(settled);
  if (method === undefined) return renderBundle(settled, options);
  try {
    const bundle = await method.call(settled);
    return asBundle(bundle) ?? renderBundle(bundle, options);
  } catch (error) {
    return renderBundle(error instanceof Error ? error : new Error(String(error)), options);
  }
}

function displayMethod(value: unknown): (() => unknown) | undefined {
  // An Exchange shows itself by way of this very file.
  if (value === null || (typeof value !== "object" && typeof value !== "function"))
    return undefined;
  if (isExchange(value)) return undefined;
  const method: unknown = Reflect.get(value, DISPLAY);
  return typeof method === "function" ? (method as () => unknown) : undefined;
}

function showItself(value: unknown): MimeBundle | undefined {
  const shown = displayMethod(value)?.call(value);
  // A promise is left to renderBundleAsync; its failure must not end the program here.
  if (shown instanceof Promise) shown.catch(() => undefined);
  return asBundle(shown);
}

function asBundle(value: unknown): MimeBundle | undefined {
  if (!isRecord(value) || value instanceof Promise) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.includes("/"))) return undefined;
  const plain = value["text/plain"];
  return { ...value, "text/plain": typeof plain === "string" ? plain : "" };
}

function renderWithin(value: unknown, options: RenderOptions): MimeBundle {
  let limits = options.limits ?? DEFAULT_LIMITS;
  let bundle = renderOnce(value, { ...options, limits });
  for (let round = 0; sizeOf(bundle) > limits.bundle && round < 16; round++) {
    limits = halve(limits);
    bundle = renderOnce(value, { ...options, limits });
  }
  return bundle;
}

interface Bounded extends RenderOptions {
  readonly limits: Limits;
}

function renderOnce(value: unknown, options: Bounded): MimeBundle {
  const { limits } = options;
  const exchanges = exchangesOf(value, limits);
  if (exchanges !== undefined) return renderExchanges(exchanges, options);
  if (isError(value)) return renderBlocks(viewError(value, options), options);
  const blocks = viewValue(value, limits);
  const plain = { "text/plain": inspected(value, options) };
  if (blocks.length === 0) return plain;
  const json = options.json === false ? undefined : toJson(value, limits.json);
  return {
    ...plain,
    "text/html": toHtml(blocks),
    "text/markdown": toMarkdown(blocks),
    ...(json === undefined ? {} : { "application/json": json }),
  };
}

type Exchanges = {
  readonly shown: readonly Parameters<typeof viewExchange>[0][];
  readonly total: number;
};

function exchangesOf(value: unknown, limits: Limits): Exchanges | undefined {
  if (isExchange(value)) return { shown: [value], total: 1 };
  if (!Array.isArray(value) || value.length === 0 || !isExchange(value[0])) return undefined;
  if (!value.every(isExchange)) return undefined;
  return { shown: value.slice(0, limits.notes), total: value.length };
}

function renderExchanges({ shown, total }: Exchanges, options: Bounded): MimeBundle {
  const { limits } = options;
  const blocks = shown.flatMap((exchange) => viewExchange(exchange, limits));
  if (total > shown.length) {
    blocks.push({ kind: "note", level: "info", text: `${shown.length} of ${total} answers shown` });
  }
  const bundle = renderBlocks(blocks, options);
  const only = total === 1 && options.json !== false ? shown[0] : undefined;
  const json = only === undefined ? undefined : jsonBody(only, limits);
  return json === undefined ? bundle : { ...bundle, "application/json": json };
}

function jsonBody(exchange: Exchanges["shown"][number], limits: Limits): unknown {
  if (!/[/+]json$/.test(exchange.mediaType) || exchange.bytes.length > limits.json * 4)
    return undefined;
  try {
    return toJson(exchange.json, limits.json);
  } catch {
    // The view says where the body breaks; there is no JSON to show.
    return undefined;
  }
}

function renderBlocks(blocks: readonly Block[], { width }: RenderOptions): MimeBundle {
  return {
    "text/plain": toText(blocks, width === undefined ? {} : { width }),
    "text/html": toHtml(blocks),
    "text/markdown": toMarkdown(blocks),
  };
}

function inspected(value: unknown, { inspect = inspectPlainly, limits }: Bounded): string {
  const text = typeof value === "string" ? value : inspect(value);
  return toVisibleText(cutText(text, limits.text));
}

/** At least as many bytes as the bundle has in UTF-8; exact where it comes near the limit. */
function sizeOf(bundle: MimeBundle): number {
  let size = 0;
  for (const part of Object.values(bundle)) {
    const text = typeof part === "string" ? part : JSON.stringify(part);
    size += text.length < 10_000 ? text.length * 3 : new TextEncoder().encode(text).length;
  }
  return size;
}
