import type { Exchange } from "../exchange/mod.ts";
import { isRevealed } from "../secrets/mod.ts";
import {
  type Block,
  createViewContext,
  DEFAULT_LIMITS,
  formatCount,
  groupDigits,
  REVEALED_NOTE,
  SHOW_SECRETS,
} from "./blocks/mod.ts";
import { type ErrorOptions, isError, viewError } from "./error.ts";
import { viewExchange } from "./exchange.ts";
import { isExchange } from "./value.ts";
import { isView, secretsOf } from "./view.ts";

/**
 * Displays a value that has a view in every format, including plain text: an exchange, a list of them, a
 * view, an error. Returns `undefined` for all other values.
 */
export function viewRich(value: unknown, options: ErrorOptions = {}): readonly Block[] | undefined {
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
  return Array.isArray(value) && isExchange(value[0]) && value.every(isExchange);
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
