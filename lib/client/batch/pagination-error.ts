import type { Exchange } from "../../exchange/mod.ts";

/**
 * A page of a listing could not be fetched. The loop has returned the pages before it; with `all()`, they
 * are in `pages`.
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
  /** The number of the page, from 1. */
  readonly page: number;
  /** The error response, if there was one. */
  readonly exchange?: Exchange;
  /** The pages before it, if `all()` collected them. */
  readonly pages: readonly Exchange[];

  /**
   * Creates the error.
   *
   * @param message What is wrong with which page.
   * @param page The number of the page, from 1.
   * @param details The response, the cause, and the pages before.
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
