import { contentOf, holdSecret, withoutMessageTimes } from "../exchange/mod.ts";
import { isJsonType } from "../request/mod.ts";
import {
  combineSecrets,
  createSecretStore,
  hideLong,
  isRevealed,
  maskFound,
  maskValue,
} from "../secrets/mod.ts";
import { answerBody } from "./answer-body.ts";
import { tagOf } from "./block.ts";
import { bundleOf, fitBundle, hides, type MimeBundle, noteHidden } from "./bundle-of.ts";
import { stringText } from "./cell.ts";
import { cutText } from "./compact.ts";
import { type ErrorOptions, isError } from "./error.ts";
import { type Inspect, inspectPlainly } from "./inspect.ts";
import { toJson } from "./json.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { maskOwnBundle } from "./own-bundle.ts";
import { plainTextOf } from "./plain-text.ts";
import { displayMethod, viewRich } from "./show-itself.ts";
import { isShortList } from "./structure.ts";
import { toText } from "./text.ts";
import { toBundle } from "./to-bundle.ts";
import { formatCount } from "./units.ts";
import { isExchange, viewValue } from "./value.ts";
import { isView, renderView } from "./view.ts";
import {
  createViewContext,
  HIDDEN,
  type Hidden,
  REVEALED_NOTE,
  SHOW_SECRETS,
  type ViewContext,
} from "./view-context.ts";
import { toVisibleText } from "./visible.ts";

/** Options of {@link renderBundle}. */
export interface RenderOptions extends ErrorOptions {
  /** Converts a value to plain text; pass `util.inspect` where it exists. */
  readonly inspect?: Inspect;
  /**
   * Whether to add data as `application/json`; true by default. JupyterLab prefers it to `text/html` and
   * would show a tree instead of the table, so the result of a cell passes false, and
   * `client.show(exchange, "json")` shows the tree.
   */
  readonly json?: boolean;
  /** Whether HTML has no times and dates either, so that the same response is displayed the same. */
  readonly stable?: boolean;
  /** Called with the error when a value cannot be displayed; the error is displayed instead. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Displays a value in every format that suits it: an exchange, a list of them, an error, data, or a value
 * with a method `Symbol.for("Jupyter.display")`. The bundle stays below a limit in bytes, whatever the
 * value is. `undefined` becomes an empty text.
 *
 * @param given The value. A promise, and a value that displays itself asynchronously, is displayed as it
 *   is now; {@link renderBundleAsync} waits.
 * @param options How to display it.
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
    if (isView(value)) return renderView(value, secrets, options.stable);
    const shown = displayMethod(value)?.();
    // renderBundleAsync awaits a promise; here its rejection must not end the program.
    if (shown instanceof Promise) shown.catch(() => undefined);
    const bundle = toBundle(shown);
    return bundle === undefined ? renderWithin(value, hiding) : ownBundle(bundle, hiding);
  });
}

/**
 * Displays a value like {@link renderBundle}, and awaits the value and its own display.
 *
 * @param value The value, or a promise of it; one that rejects is displayed as its error.
 * @param options How to display it.
 * @example
 * ```ts
 * (await renderBundleAsync(Promise.resolve("abc")))["text/plain"]; // "abc"
 * ```
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
    return ownBundle(bundle, { ...options, secrets });
  } catch (error) {
    return renderBundle(toError(error), options);
  }
}

/** Masks a bundle that a value has created, unless it was created and masked here. */
function ownBundle(
  bundle: Readonly<Record<string, unknown>>,
  { secrets = [] }: RenderOptions,
): MimeBundle {
  if (hides(bundle, secrets)) return bundle as MimeBundle;
  const masking = combineSecrets(secrets);
  const masked = maskOwnBundle(bundle, masking);
  // Viewers that know none of its parts show the text; without its tags, HTML may contain a secret after all.
  const plain = masked["text/plain"] ?? masking.mask(plainTextOf(masked));
  return { ...masked, "text/plain": String(plain) };
}

/** A getter or a proxy of the value may throw: its error is displayed then. */
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

function renderOnce(given: unknown, options: BoundedOptions): MimeBundle {
  const timeless =
    options.stable === true && isExchange(given) ? withoutMessageTimes(given) : given;
  const context = createViewContext(options.limits, options.secrets);
  const rich = viewRich(timeless, options);
  if (rich !== undefined) {
    const json = bodyOf(timeless, options);
    const { stable = false, width } = options;
    return bundleOf(rich, context, { json, stable, ...(width && { width }) });
  }
  const value = hideLong(timeless, context.masking);
  const note = context.showsSecrets ? [toText([REVEALED_NOTE])] : [];
  const plain = [inspected(value, context, options.inspect), ...note].join("\n");
  const isLeftOut = options.json === false || holdsSecretBytes(value, context);
  const json = isLeftOut
    ? undefined
    : maskFound(toJson(value, context.limits.json), context.masking);
  return bundleOf(viewValue(value, context), context, { plain, json, stable: options.stable });
}

function bodyOf(value: unknown, { json, limits, secrets = [] }: BoundedOptions): unknown {
  if (json === false || !isExchange(value) || !isJsonType(value.mediaType)) return undefined;
  // Several times the limit remains too long without its blanks.
  if (contentOf(value).length > limits.json * 4) return undefined;
  try {
    const context = createViewContext(limits, [...(value.secrets ?? []), ...secrets]);
    const data = toJson(value.json, limits.json);
    return maskValue(data, context.masking, answerBody(value).masker(context));
  } catch {
    // The view reports why the body is not valid JSON.
    return undefined;
  }
}

/** Secrets in bytes cannot be masked in their textual form. */
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
  const options = isShortList(value) ? { compact: true } : {};
  const text =
    typeof value === "string" ? stringText(redact(value)) : redact(inspect(value, options));
  const shown = toVisibleText(cutText(text, limits.text));
  const rest = text.length - limits.text;
  return rest > 0 ? `${shown}\n${formatCount(rest, "more character")}` : shown;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A value, the secrets to mask, and whether it is revealed. */
interface Unwrapped {
  readonly value: unknown;
  readonly secrets: readonly Hidden[];
  readonly isRevealed: boolean;
}

/**
 * Finds the secrets to mask in a value. Values under secret names in it are learned first, so that they are
 * masked in every format and elsewhere.
 */
function unwrap(value: unknown, secrets: readonly Hidden[] = []): Unwrapped {
  if (isRevealed(value)) return { value: value.value, secrets: [SHOW_SECRETS], isRevealed: true };
  if (isExchange(value) && !secrets.includes(SHOW_SECRETS)) {
    // An exchange of an older copy of the library may have no secrets.
    const all = [...new Set([...(value.secrets ?? []), ...secrets])];
    return { value, secrets: all, isRevealed: false };
  }
  const isRevealing = secrets.includes(SHOW_SECRETS);
  const isData = typeof value === "object" && value !== null;
  // A view names its secrets itself.
  if (isRevealing || !isData || isExchange(value) || isError(value) || isView(value)) {
    return { value, secrets, isRevealed: isRevealing };
  }
  const stores = secrets.filter((one) => typeof one === "object");
  if (stores.length === 0) stores.push(createSecretStore());
  for (const store of stores) store.learn({ kind: "value", value }, "person");
  return { value, secrets: [...new Set([...secrets, ...stores])], isRevealed: false };
}
