import { denoInspect, holdSecret, nodeInspect, withoutMessageTimes } from "../exchange/mod.ts";
import { bytesOf, findProperty, isError, isUnread, readable, tagOf } from "../interpolation/mod.ts";
import { isJsonType } from "../request/mod.ts";
import {
  combineSecrets,
  createSecretStore,
  hideLong,
  isRevealed,
  maskFound,
  UNREDACTED,
} from "../secrets/mod.ts";
import { answerData } from "./answer-body.ts";
import {
  bundleOf,
  fitBundle,
  hides,
  isTimeHeader,
  type MimeBundle,
  noteHidden,
} from "./bundle-of.ts";
import { isScalar, stringText, toCell } from "./cell.ts";
import { compactJson, cutText } from "./compact.ts";
import { type ErrorOptions, withoutOwnFrames } from "./error.ts";
import { toJson } from "./json.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { maskOwnBundle } from "./own-bundle.ts";
import { plainTextOf } from "./plain-text.ts";
import { displayMethod, viewRich } from "./show-itself.ts";
import { isShortList } from "./structure.ts";
import { toText } from "./text.ts";
import { toBundle } from "./to-bundle.ts";
import { formatCount } from "./units.ts";
import { isExchange, isHeaders, viewValue } from "./value.ts";
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

/** Converts a value to text, as a console does: `compact` asks for one line. */
export type Inspect = (
  value: unknown,
  options?: { readonly compact?: boolean | undefined },
) => string;

/** Options of {@link renderBundle}. */
export interface RenderOptions extends ErrorOptions {
  /** Converts a value to plain text; pass `util.inspect` where it exists. */
  readonly inspect?: Inspect | undefined;
  /**
   * Whether to add data as `application/json`; true by default. JupyterLab prefers it to `text/html` and
   * would show a tree instead of the table, so the result of a cell passes false, and
   * `client.show(exchange, "json")` shows the tree.
   */
  readonly json?: boolean | undefined;
  /** Whether HTML has no times and dates either, so that the same response is displayed the same. */
  readonly stable?: boolean | undefined;
  /** Called with the error when a value cannot be displayed; the error is displayed instead. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
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
    const [value, secrets] = unwrap(readable(given), options.secrets);
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
    const settled = await readable(value);
    const bundle = isView(settled) ? undefined : toBundle(await displayMethod(settled)?.());
    if (bundle === undefined) return renderBundle(settled, options);
    const [, secrets] = unwrap(settled, options.secrets);
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

/** A method with which the value shows itself may throw: its error is displayed then. */
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
    const { stable = false, width } = options;
    const hasJson =
      options.json !== false && isExchange(timeless) && isJsonType(timeless.mediaType);
    const json = hasJson ? answerData(timeless, context, context.limits.json) : undefined;
    return bundleOf(rich, context, { json, stable, width });
  }
  const value = hideLong(timeless, context.masking);
  const note = context.showsSecrets ? [toText([REVEALED_NOTE])] : [];
  const plain = [inspected(value, context, options), ...note].join("\n");
  const isLeftOut = options.json === false || holdsSecretBytes(value, context);
  const json = isLeftOut
    ? undefined
    : maskFound(toJson(value, context.limits.json), context.masking);
  return bundleOf(viewValue(value, context), context, { plain, json, stable: options.stable });
}

/** Secrets in bytes cannot be masked in their textual form. */
function holdsSecretBytes(
  value: unknown,
  { limits, redactor }: ViewContext,
): value is ArrayBufferView | ArrayBuffer {
  const bytes = bytesOf(value);
  return bytes !== undefined && holdSecret(bytes.subarray(0, limits.hex), redactor.text);
}

/** Headers without the time of the response, as in the other forms that are saved. */
function withoutDate(value: unknown): unknown {
  if (!isHeaders(value)) return value;
  return new Headers([...value].filter(([name]) => !isTimeHeader(name)));
}

/** The characters of a value where the host has no words for it. */
const MOST_PLAIN = 4_000;

function inspectPlainly(given: unknown): string {
  const value = readable(given);
  return isScalar(value)
    ? toCell(value, MOST_PLAIN, UNREDACTED).text
    : compactJson(value, MOST_PLAIN, UNREDACTED, " ");
}

/**
 * The text of a value as the console of the host has it; in words of this library if the value makes that throw.
 *
 * @param inspect Called with the value.
 * @throws What the value's own method for consoles throws.
 */
export function inspectSafely(value: unknown, inspect: (value: unknown) => string): string {
  try {
    return inspect(value);
  } catch (error) {
    const isOwn = [nodeInspect, denoInspect].some((method) => findProperty(value, method));
    if (isOwn && !isUnread(value)) throw error;
    return inspectPlainly(value);
  }
}

function inspected(
  value: unknown,
  context: ViewContext,
  { inspect = inspectPlainly, isOwnFrame }: RenderOptions,
): string {
  const { limits, redactor } = context;
  if (holdsSecretBytes(value, context)) {
    return `${tagOf(value)} of ${formatCount(value.byteLength, "byte")}: ${HIDDEN}`;
  }
  const options = isShortList(value) ? { compact: true } : {};
  const toText = (shown: unknown): string => inspect(shown, options);
  const text =
    typeof value === "string"
      ? stringText(redactor.text(value))
      : redactor.text(withoutOwnFrames(inspectSafely(withoutDate(value), toText), isOwnFrame));
  const shown = toVisibleText(cutText(text, limits.text));
  const rest = text.length - limits.text;
  return rest > 0 ? `${shown}\n${formatCount(rest, "more character")}` : shown;
}

/**
 * The value to show, and the secrets to mask in it. Values under secret names in it are learned first, so that they
 * are masked in every format and elsewhere.
 */
function unwrap(
  value: unknown,
  secrets: readonly Hidden[] = [],
): readonly [value: unknown, secrets: readonly Hidden[]] {
  if (isRevealed(value)) return [value.value, [SHOW_SECRETS]];
  if (secrets.includes(SHOW_SECRETS)) return [value, secrets];
  // An exchange of an older copy of the library may have no secrets.
  if (isExchange(value)) return [value, [...new Set([...(value.secrets ?? []), ...secrets])]];
  const isData = typeof value === "object" && value !== null;
  // A view names its secrets itself.
  if (!isData || isError(value) || isView(value)) return [value, secrets];
  const stores = secrets.filter((one) => typeof one === "object");
  if (stores.length === 0) stores.push(createSecretStore());
  for (const store of stores) store.learn({ kind: "value", value }, "person");
  return [value, [...new Set([...secrets, ...stores])]];
}
