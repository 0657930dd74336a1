import { denoInspect, jupyterDisplay, nodeInspect, type ShownView } from "../exchange/mod.ts";
import { dataOf } from "../interpolation/mod.ts";
import type { Block } from "./block.ts";
import { bundleOf, fitBundle, type MimeBundle, noteHidden, withNote } from "./bundle-of.ts";
import { viewErrorAsPart } from "./error.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { toText } from "./text.ts";
import { createViewContext, type Hidden, SHOW_SECRETS, type ViewContext } from "./view-context.ts";

/** A view of a value that displays itself: in notebooks by its bundle, at a terminal by its blocks. */
export interface View extends ShownView {
  /** Creates the blocks of the view. */
  readonly blocks: (context: ViewContext) => readonly Block[];
  /** Creates the data of `application/json`, if there is any. */
  readonly data?: (context: ViewContext) => unknown;
  readonly limits?: Limits;
  /** The secrets of the value itself. */
  readonly secrets?: readonly Hidden[];
}

/** Options of a view. */
export interface ViewOptions {
  /** How much is shown; by default a screen or two. */
  readonly limits?: Limits;
  /** What is masked: texts, and the secrets of clients. */
  readonly secrets?: readonly Hidden[];
}

const VIEW: unique symbol = Symbol.for("restlab.view");

/**
 * Creates a view.
 *
 * @param given Creates the blocks. If it throws, as getters of a value may, the error is displayed.
 * @param data Creates the data of `application/json`, if there is any.
 */
export function createView(
  given: View["blocks"],
  { limits = DEFAULT_LIMITS, secrets = [] }: ViewOptions = {},
  data: (context: ViewContext) => unknown = () => undefined,
): View {
  const blocks: View["blocks"] = (context) => {
    try {
      return given(context);
    } catch (error) {
      return viewErrorAsPart(error, context);
    }
  };
  const text = (): string => {
    const context = createViewContext(limits, secrets);
    return toText(withNote(blocks(context), context));
  };
  const view = {
    [VIEW]: true,
    [jupyterDisplay]: () => renderView(view as unknown as View),
    ...{ [nodeInspect]: text, [denoInspect]: text },
  };
  // Not enumerable: a console shows the view, not its fields.
  return Object.defineProperties(view, {
    blocks: { value: blocks },
    data: { value: data },
    limits: { value: limits },
    secrets: { value: secrets },
    toString: { value: text },
  }) as unknown as View;
}

/** Gives an object the display of a view. Nothing of it is enumerable: the object equals one without it. */
export function displayAs<T extends object>(target: T, view: View): T & ShownView {
  const members = Object.getOwnPropertyDescriptors(view);
  for (const key of Reflect.ownKeys(members)) {
    const descriptor = Reflect.get(members, key) as PropertyDescriptor;
    Object.defineProperty(target, key, { ...descriptor, enumerable: false });
  }
  return target as T & ShownView;
}

/**
 * Renders a view in every format.
 *
 * @param hidden What is masked besides the secrets of the value.
 * @param stable Whether HTML has no times and dates either.
 */
export function renderView(view: View, hidden: readonly Hidden[] = [], stable = false): MimeBundle {
  const secrets = secretsOf(view, hidden);
  const bundle = fitBundle(view.limits ?? DEFAULT_LIMITS, (limits) => {
    const context = createViewContext(limits, secrets);
    return bundleOf(view.blocks(context), context, { json: view.data?.(context), stable });
  });
  return noteHidden(bundle, secrets);
}

/** All secrets of a view; one of another copy of the library may have none itself. */
export function secretsOf(
  { secrets = [] }: View,
  hidden: readonly Hidden[] = [],
): readonly Hidden[] {
  return hidden.includes(SHOW_SECRETS) ? hidden : [...secrets, ...hidden];
}

/** Whether a value is a view, also one that another copy of the library created. */
export function isView(value: unknown): value is View {
  return typeof value === "object" && dataOf(value, VIEW) === true;
}
