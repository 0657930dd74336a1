import { contentOf } from "../exchange/mod.ts";
import { combineSecrets, maskFound, maskValue } from "../secrets/mod.ts";
import { answerBody } from "./answer-body.ts";
import {
  createViewContext,
  cutText,
  DEFAULT_LIMITS,
  formatCount,
  HIDDEN,
  type Limits,
  REVEALED_NOTE,
  tagOf,
  type ViewContext,
} from "./blocks/mod.ts";
import { holdSecret } from "./bodies/mod.ts";
import type { MarkupParser, MimeBundle } from "./bundles/mod.ts";
import {
  bundleOf,
  fitBundle,
  hides,
  maskOwnBundle,
  needsParser,
  noteHidden,
} from "./bundles/mod.ts";
import type { ErrorOptions } from "./error.ts";
import { toJson, toText } from "./formats/mod.ts";
import { unwrap } from "./revealed.ts";
import { viewRich } from "./rich.ts";
import { displayMethod, toBundle } from "./show-itself.ts";
import { type Inspect, inspectPlainly, toVisibleText } from "./text/mod.ts";
import { isExchange, viewValue } from "./value.ts";
import { isView, renderView } from "./view.ts";

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
  /**
   * Gives `parse5`, by which secrets are masked in markup that a value hands out itself. Without it
   * such markup is not shown where it holds a secret, and a note says so.
   */
  readonly markup?: () => MarkupParser;
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
    const hiding = { ...options, secrets };
    if (isView(value)) return renderView(value, secrets);
    const shown = displayMethod(value)?.();
    // A promise is left to renderBundleAsync; its failure must not end the program here.
    if (shown instanceof Promise) shown.catch(() => undefined);
    const bundle = toBundle(shown);
    return bundle === undefined ? renderWithin(value, hiding) : ownBundle(bundle, hiding);
  });
}

/**
 * Shows a value as {@link renderBundle} does, once it and what it says of itself are there. Markup of
 * a value's own in which a secret stands is parsed by `parse5`, which is loaded then.
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
    const bundle = isView(settled) ? undefined : toBundle(await displayMethod(settled)?.());
    if (bundle === undefined) return renderBundle(settled, options);
    const { secrets } = unwrap(settled, options.secrets);
    if (options.markup !== undefined || !needsParser(bundle, combineSecrets(secrets))) {
      return ownBundle(bundle, { ...options, secrets });
    }
    const parser: MarkupParser = await import("parse5");
    return ownBundle(bundle, { ...options, secrets, markup: () => parser });
  } catch (error) {
    return renderBundle(toError(error), options);
  }
}

/** A bundle that a value has handed out: masked by what is in it, unless it was made here. */
function ownBundle(bundle: MimeBundle, { secrets = [], markup }: RenderOptions): MimeBundle {
  if (hides(bundle, secrets)) return bundle;
  return maskOwnBundle(bundle, combineSecrets(secrets), markup);
}

/** A getter or a proxy of a value may throw: then that is what there is to see. */
function orItsError(options: RenderOptions, render: () => MimeBundle): MimeBundle {
  try {
    return render();
  } catch (error) {
    options.onFailure?.(error);
    return renderWithin(toError(error), options);
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function renderWithin(value: unknown, options: RenderOptions): MimeBundle {
  const bundle = fitBundle(options.limits ?? DEFAULT_LIMITS, (limits) =>
    renderOnce(value, { ...options, limits }),
  );
  return noteHidden(bundle, options.secrets ?? []);
}

interface BoundedOptions extends RenderOptions {
  readonly limits: Limits;
}

function renderOnce(value: unknown, options: BoundedOptions): MimeBundle {
  const context = createViewContext(options.limits, options.secrets);
  const rich = viewRich(value, options);
  if (rich !== undefined) {
    const json = bodyOf(value, options);
    return bundleOf(rich, context, { json, ...(options.width && { width: options.width }) });
  }
  const note = context.showsSecrets ? [toText([REVEALED_NOTE])] : [];
  const plain = [inspected(value, context, options.inspect), ...note].join("\n");
  const isLeftOut = options.json === false || holdsSecretBytes(value, context);
  const json = isLeftOut
    ? undefined
    : maskFound(toJson(value, context.limits.json), context.masking);
  return bundleOf(viewValue(value, context), context, { plain, json });
}

function bodyOf(value: unknown, { json, limits, secrets = [] }: BoundedOptions): unknown {
  if (json === false || !isExchange(value) || !/[/+]json$/.test(value.mediaType)) return undefined;
  // What is several times longer than the limit stays too long without its blanks.
  if (contentOf(value).length > limits.json * 4) return undefined;
  try {
    const context = createViewContext(limits, [...(value.secrets ?? []), ...secrets]);
    const data = toJson(value.json, limits.json);
    return maskValue(data, context.masking, answerBody(value).masker(context));
  } catch {
    // The view says where the body breaks; there is no JSON to show.
    return undefined;
  }
}

/** A value that is bytes has no text in which a secret would be found. */
function holdsSecretBytes(
  value: unknown,
  { limits, redact }: ViewContext,
): value is ArrayBufferView {
  return ArrayBuffer.isView(value) && holdSecret(bytesOf(value).subarray(0, limits.hex), redact);
}

function inspected(
  value: unknown,
  context: ViewContext,
  inspect: Inspect = inspectPlainly,
): string {
  const { limits, redact } = context;
  if (holdsSecretBytes(value, context)) {
    return `${tagOf(value)} of ${formatCount(value.byteLength, "byte")}: ${HIDDEN}`;
  }
  const text = redact(typeof value === "string" ? value : inspect(value));
  const shown = toVisibleText(cutText(text, limits.text));
  const rest = text.length - limits.text;
  return rest > 0 ? `${shown}\n${formatCount(rest, "more character")}` : shown;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
