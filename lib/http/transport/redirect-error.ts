import type { Redirect } from "../../exchange/mod.ts";

/** How a redirect ends a request. */
export type RedirectReason =
  | { readonly kind: "redirected"; readonly redirect: Redirect }
  | { readonly kind: "too-many-redirects" };

/** A redirect has ended a request: redirects are errors here, or there were too many. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
  readonly reason: RedirectReason;

  constructor(reason: RedirectReason) {
    super("A redirect was not followed");
    this.reason = reason;
  }
}
