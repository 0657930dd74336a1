import type { Reason } from "./no-response.ts";

/** A redirect has ended a request: redirects are errors here, or there were too many. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
  readonly reason: Reason;

  constructor(reason: Reason) {
    super("A redirect was not followed");
    this.reason = reason;
  }
}
