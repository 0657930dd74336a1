import { type Exchange, jupyterDisplay } from "../exchange/mod.ts";
import {
  dataOf,
  isError,
  isThenable,
  itemsOf,
  readable,
  readMember,
} from "../interpolation/mod.ts";
import { isRevealed } from "../secrets/mod.ts";
import type { Block } from "./block.ts";
import { createDisplayable } from "./displayable.ts";
import { type ErrorOptions, viewError } from "./error.ts";
import { viewExchange } from "./exchange.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { toBundle } from "./to-bundle.ts";
import { formatCount, groupDigits } from "./units.ts";
import { isExchange } from "./value.ts";
import { isView, secretsOf } from "./view.ts";
import { createViewContext, REVEALED_NOTE, SHOW_SECRETS } from "./view-context.ts";

/** The display method of a value. That of an exchange calls this folder, and is not used. */
export function displayMethod(value: unknown): (() => unknown) | undefined {
  const method = dataOf(value, jupyterDisplay);
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

/**
 * Displays a value that has a view in every format, including plain text: an exchange, a list of them, a
 * view, an error. Returns `undefined` for all other values.
 */
export function viewRich(given: unknown, options: ErrorOptions = {}): readonly Block[] | undefined {
  const value = readable(given);
  if (isRevealed(value)) {
    const inner = viewRich(value.value, { ...options, secrets: [SHOW_SECRETS] });
    return inner === undefined ? undefined : [...inner, REVEALED_NOTE];
  }
  if (isView(value))
    return value.blocks(createViewContext(options.limits, secretsOf(value, options.secrets)));
  if (isExchange(value)) return viewExchange(value, options.limits, options.secrets);
  if (isExchangeList(value)) return viewExchanges(value, options);
  return isError(value) ? viewError(value, options) : undefined;
}

function isExchangeList(value: unknown): value is readonly Exchange[] {
  return (
    Array.isArray(value) &&
    isExchange(readMember(value, 0)) &&
    [...itemsOf(value)].every(isExchange)
  );
}

function viewExchanges(exchanges: readonly Exchange[], options: ErrorOptions): readonly Block[] {
  const given = options.limits ?? DEFAULT_LIMITS;
  const shown = exchanges.slice(0, given.notes);
  // All images together are as large as one may be.
  const limits = { ...given, image: Math.floor(given.image / shown.length) };
  const blocks = shown.flatMap((exchange) => viewExchange(exchange, limits, options.secrets));
  if (shown.length < exchanges.length) {
    const text = `${groupDigits(shown.length)} of ${formatCount(exchanges.length, "response")} shown`;
    blocks.push({ kind: "note", level: "info", text });
  }
  return blocks;
}
