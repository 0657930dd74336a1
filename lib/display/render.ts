import { contentOf } from "../client/mod.ts";
import { combineSecrets, maskBundle } from "../secrets/mod.ts";
import type { Block } from "./block.ts";
import type { MimeBundle } from "./bundle.ts";
import { holdSecret } from "./bytes.ts";
import { cutText } from "./compact.ts";
import type { ErrorOptions } from "./error.ts";
import { fitBundle } from "./fit.ts";
import { toHtml } from "./html.ts";
import { type Inspect, inspectPlainly } from "./inspect.ts";
import { toJson } from "./json.ts";
import { tagOf } from "./kinds.ts";
import { createLens, HIDDEN, type Lens, SHOW_SECRETS } from "./lens.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { toMarkdown } from "./markdown.ts";
import { REVEALED_NOTE, unwrap } from "./revealed.ts";
import { viewRich } from "./rich.ts";
import { displayMethod, toBundle } from "./show-itself.ts";
import { toText } from "./text.ts";
import { formatCount } from "./units.ts";
import { isExchange, viewValue } from "./value.ts";
import { isView } from "./view.ts";
import { toVisibleText } from "./visible.ts";

/** How a value is shown. */
export interface RenderOptions extends ErrorOptions {
  /** Says in plain text what a value is; pass `util.inspect` where there is one. */
  readonly inspect?: Inspect;
  /**
   * Whether data are added as `application/json`; true unless told. JupyterLab ranks that form above
   * `text/html` and would show its tree in the place of the table, so a cell's result passes false,
   * and `client.show(exchange, "json")` asks for it.
   */
  readonly json?: boolean;
  /** Told why a value could not be shown, where its error is shown in its place. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Shows a value in every form that fits it: a request with its answer, a list of them, an error,
 * data, or whatever shows itself by `Symbol.for("Jupyter.display")`. The forms together stay below
 * the limit in bytes, whatever the value is. `undefined` gives an empty text.
 *
 * @param given What is to be shown. Of a promise, and of a value that shows itself later, there is
 *   only what it looks like now; {@link renderBundleAsync} waits.
 * @param options How it is shown.
 * @example
 * ```ts
 * renderBundle("abc")["text/plain"]; // "abc"
 * ```
 */
export function renderBundle(given: unknown, options: RenderOptions = {}): MimeBundle {
  if (given === undefined) return { "text/plain": "" };
  return orItsError(options, () => {
    const { value, secrets } = unwrap(given, options.secrets);
    // A view knows secrets of its own; what is revealed is looked at without them.
    const isRevealedView = isView(value) && secrets.includes(SHOW_SECRETS);
    const shown = isRevealedView ? undefined : displayMethod(value)?.();
    // A promise is left to renderBundleAsync; its failure must not end the program here.
    if (shown instanceof Promise) shown.catch(() => undefined);
    const bundle = toBundle(shown) ?? renderWithin(value, { ...options, secrets });
    return maskBundle(bundle, combineSecrets(secrets));
  });
}

/**
 * Shows a value as {@link renderBundle} does, once it and what it says of itself are there.
 *
 * @param value What is to be shown, or a promise of it; one that fails is shown as its error.
 * @param options How it is shown.
 */
export async function renderBundleAsync(
  value: unknown,
  options: RenderOptions = {},
): Promise<MimeBundle> {
  try {
    const settled = await value;
    const bundle = toBundle(await displayMethod(settled)?.());
    if (bundle === undefined) return renderBundle(settled, options);
    return maskBundle(bundle, combineSecrets(unwrap(settled, options.secrets).secrets));
  } catch (error) {
    return renderBundle(toError(error), options);
  }
}

/** A getter or a proxy of a value may throw: then that is what there is to see. */
function orItsError(options: RenderOptions, render: () => MimeBundle): MimeBundle {
  try {
    return render();
  } catch (error) {
    options.onFailure?.(error);
    return maskBundle(renderWithin(toError(error), options), combineSecrets(options.secrets));
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function renderWithin(value: unknown, options: RenderOptions): MimeBundle {
  return fitBundle(options.limits ?? DEFAULT_LIMITS, (limits) =>
    renderOnce(value, { ...options, limits }),
  );
}

interface BoundedOptions extends RenderOptions {
  readonly limits: Limits;
}

function renderOnce(value: unknown, options: BoundedOptions): MimeBundle {
  const rich = viewRich(value, options);
  const lens = createLens(options.limits, options.secrets);
  const note = lens.showsSecrets ? [REVEALED_NOTE] : [];
  const blocks = [...(rich ?? viewValue(value, lens)), ...note];
  const plain =
    rich === undefined
      ? [inspected(value, lens, options.inspect), ...note.map(() => toText(note))].join("\n")
      : layOut(blocks, options);
  if (blocks.length === 0) return { "text/plain": plain };
  // Data have no place for the note that they hold secrets.
  if (lens.showsSecrets) {
    return {
      "text/plain": plain,
      "text/html": toHtml(blocks),
      "text/markdown": toMarkdown(blocks),
    };
  }
  const json =
    rich === undefined ? toJson(value, lens.limits.json, lens.hide) : bodyOf(value, options);
  return {
    "text/plain": plain,
    "text/html": toHtml(blocks),
    "text/markdown": toMarkdown(blocks),
    ...(json === undefined || options.json === false ? {} : { "application/json": json }),
  };
}

function bodyOf(value: unknown, { json, limits, secrets = [] }: BoundedOptions): unknown {
  if (json === false || !isExchange(value) || !/[/+]json$/.test(value.mediaType)) return undefined;
  // What is several times longer than the limit stays too long without its blanks.
  if (contentOf(value).length > limits.json * 4) return undefined;
  try {
    const { hide } = createLens(limits, [...(value.secrets ?? []), ...secrets]);
    return toJson(value.json, limits.json, hide);
  } catch {
    // The view says where the body breaks; there is no JSON to show.
    return undefined;
  }
}

function layOut(blocks: readonly Block[], { width }: RenderOptions): string {
  return toText(blocks, width === undefined ? {} : { width });
}

function inspected(
  value: unknown,
  { limits, hide }: Lens,
  inspect: Inspect = inspectPlainly,
): string {
  const isHidden =
    ArrayBuffer.isView(value) && holdSecret(bytesOf(value).subarray(0, limits.hex), hide);
  if (isHidden) return `${tagOf(value)} of ${formatCount(value.byteLength, "byte")}: ${HIDDEN}`;
  const text = hide(typeof value === "string" ? value : inspect(value));
  const shown = toVisibleText(cutText(text, limits.text));
  const rest = text.length - limits.text;
  return rest > 0 ? `${shown}\n${formatCount(rest, "more character")}` : shown;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
