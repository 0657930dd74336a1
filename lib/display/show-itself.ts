import { jupyterDisplay } from "../exchange/mod.ts";
import { toBundle } from "./bundles/mod.ts";
import { createDisplayable } from "./displayable.ts";
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
 * @returns What to show: the value, or in its place what its method has returned or thrown; a promise if
 *   the value or the result of its method is one.
 */
export function settleDisplay(value: unknown): unknown {
  const orValue = (shown: unknown): unknown => {
    const bundle = toBundle(shown);
    return bundle === undefined ? value : createDisplayable(bundle);
  };
  try {
    if (isThenable(value)) {
      return Promise.resolve(value).then(settleDisplay).catch(failing);
    }
    if (isView(value)) return value;
    const shown = displayMethod(value)?.();
    return isThenable(shown) ? Promise.resolve(shown).then(orValue).catch(failing) : orValue(shown);
  } catch (error) {
    return failing(error);
  }
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
