import type { ShownView } from "../exchange/mod.ts";
import type { Block } from "./blocks/mod.ts";
import {
  createViewContext,
  DEFAULT_LIMITS,
  type Hidden,
  type Limits,
  SHOW_SECRETS,
  type ViewContext,
} from "./blocks/mod.ts";
import {
  bundleOf,
  DISPLAY,
  fitBundle,
  type MimeBundle,
  maskBlocks,
  noteHidden,
  withNote,
} from "./bundles/mod.ts";
import { lookAtError } from "./error.ts";
import { toText } from "./formats/mod.ts";

/** A look at a value that shows itself: in notebooks by its bundle, at a terminal by its blocks. */
export interface View extends ShownView {
  /** Makes the blocks, without the secrets of the context. */
  readonly look: (context: ViewContext) => readonly Block[];
  /** What a viewer of JSON gets, where there is such a form. */
  readonly data?: (context: ViewContext) => unknown;
  readonly limits?: Limits;
  /** What is hidden of it by itself. */
  readonly secrets?: readonly Hidden[];
}

/** What a view may show and what it may not. */
export interface ViewOptions {
  /** How much is shown; a screen or two unless told. */
  readonly limits?: Limits;
  /** What is hidden: texts, and what clients know to be secret. */
  readonly secrets?: readonly Hidden[];
}

const VIEW: unique symbol = Symbol.for("restlab.view");
const INSPECTIONS = [Symbol.for("nodejs.util.inspect.custom"), Symbol.for("Deno.customInspect")];

/**
 * Makes a view.
 *
 * @param given Says what is to be seen. Where it throws, as getters of a program's objects may, the
 *   error is what there is to see.
 * @param data What a viewer of JSON gets, where there is such a form.
 */
export function createView(
  given: View["look"],
  { limits = DEFAULT_LIMITS, secrets = [] }: ViewOptions = {},
  data: (context: ViewContext) => unknown = () => undefined,
): View {
  const look: View["look"] = (context) => {
    try {
      return given(context);
    } catch (error) {
      return lookAtError(error, context);
    }
  };
  const text = (): string => {
    const context = createViewContext(limits, secrets);
    return toText(maskBlocks(withNote(look(context), context), context.masking));
  };
  const view = {
    [VIEW]: true,
    [DISPLAY]: () => renderView(view as unknown as View),
    ...Object.fromEntries(INSPECTIONS.map((symbol) => [symbol, text])),
  };
  // The fields are not counted among the keys: a view that is looked at shows itself, not its parts.
  return Object.defineProperties(view, {
    look: { value: look },
    data: { value: data },
    limits: { value: limits },
    secrets: { value: secrets },
    toString: { value: text },
  }) as unknown as View;
}

/**
 * Shows a view in every form.
 *
 * @param hidden What is hidden of it beside what it names itself.
 */
export function renderView(view: View, hidden: readonly Hidden[] = []): MimeBundle {
  const secrets = secretsOf(view, hidden);
  const bundle = fitBundle(view.limits ?? DEFAULT_LIMITS, (limits) => {
    const context = createViewContext(limits, secrets);
    return bundleOf(view.look(context), context, { json: view.data?.(context) });
  });
  return noteHidden(bundle, secrets);
}

/** All that is hidden of a view; one of another copy of the library may name nothing itself. */
export function secretsOf(
  { secrets = [] }: View,
  hidden: readonly Hidden[] = [],
): readonly Hidden[] {
  return hidden.includes(SHOW_SECRETS) ? hidden : [...secrets, ...hidden];
}

/** Whether a value is a view, whichever copy of the library made it. */
export function isView(value: unknown): value is View {
  return typeof value === "object" && value !== null && Reflect.get(value, VIEW) === true;
}
