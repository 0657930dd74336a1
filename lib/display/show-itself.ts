import { jupyterDisplay } from "../exchange/mod.ts";
import { hides, toBundle } from "./bundles/mod.ts";
import { createDisplayable, isMarkup } from "./displayable.ts";
import { isExchange } from "./value.ts";
import { isView } from "./view.ts";

/** The display method of a value. That of an exchange calls this folder, and is not used. */
export function displayMethod(value: unknown): (() => unknown) | undefined {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return undefined;
  }
  const method: unknown = Reflect.get(value, jupyterDisplay);
  return typeof method === "function" && !isExchange(value) ? method.bind(value) : undefined;
}

/**
 * Calls the display method of a value, if it has one.
 *
 * @param toForm Decides what shows a bundle that neither this library nor a template has created.
 * @returns What to show: the value, or in its place what its method has returned or thrown; a promise if
 *   the value or the result of its method is one.
 */
export function settleDisplay(value: unknown, toForm: ToForm = createDisplayable): unknown {
  const orValue = (shown: unknown): unknown => {
    const bundle = toBundle(shown);
    if (bundle === undefined) return value;
    return isSafe(value, bundle) ? createDisplayable(bundle) : toForm(bundle);
  };
  try {
    if (isThenable(value)) {
      return Promise.resolve(value)
        .then((settled) => settleDisplay(settled, toForm))
        .catch(failing);
    }
    if (isView(value)) return value;
    const shown = displayMethod(value)?.();
    return isThenable(shown) ? Promise.resolve(shown).then(orValue).catch(failing) : orValue(shown);
  } catch (error) {
    return failing(error);
  }
}

type ToForm = (bundle: Readonly<Record<string, unknown>>) => unknown;

function isSafe(value: unknown, bundle: Readonly<Record<string, unknown>>): boolean {
  return isMarkup(value) || hides(bundle, []);
}

/** A value that is shown as an error. */
export function failing(error: unknown): object {
  return {
    [jupyterDisplay]: () => {
      throw error;
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof Reflect.get(value, "then") === "function";
}
