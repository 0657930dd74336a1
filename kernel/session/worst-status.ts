import type { Exchange } from "../../lib/mod.ts";

/** The exit status of `--check-status`: 3, 4 or 5 for the worst status of 3xx, 4xx or 5xx, as in HTTPie; else 0. */
export function worstStatus(exchanges: readonly Pick<Exchange, "status">[]): number {
  const classes = exchanges.map(({ status }) => Math.floor(status / 100));
  const worst = Math.max(0, ...classes);
  return worst >= 3 && worst <= 5 ? worst : 0;
}
