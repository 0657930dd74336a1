import type { Exchange } from "../../exchange/mod.ts";

/**
 * A page of a listing could not be fetched. Those before it have been handed out by the loop, or are
 * in `pages` where `all()` was to collect them.
 *
 * @example
 * ```ts
 * const pages = client.paginate("GET http://127.0.0.1:8787/users?limit=6", ({ headers }) =>
 *   headers.get("link")?.includes("offset=6") ? "/status/503" : undefined,
 * );
 * const error = await pages.all().catch((thrown) => thrown);
 * error.pages.map(({ json }) => json.length); // [6]
 * [error.page, error.exchange.status]; // [2, 503]
 * ```
 */
export class PaginationError extends Error {
  /** Always `PaginationError`. */
  override readonly name = "PaginationError";
  /** Which page it is, from 1. */
  readonly page: number;
  /** What came in its place, if something did. */
  readonly exchange?: Exchange;
  /** The pages before it, where `all()` collected them; a loop has got them already. */
  readonly pages: readonly Exchange[];

  /**
   * Made when a listing cannot be followed to its end.
   *
   * @param message What is wrong with which page.
   * @param page Which page it is, from 1.
   * @param details The answer, what was thrown, and what came before.
   */
  constructor(
    message: string,
    page: number,
    details: {
      readonly exchange?: Exchange | undefined;
      readonly cause?: unknown;
      readonly pages?: readonly Exchange[];
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.page = page;
    this.pages = details.pages ?? [];
    if (details.exchange) this.exchange = details.exchange;
  }
}
