import type { Redirect } from "../../exchange/mod.ts";

/** Why a redirect ended a request. */
export type RedirectReason =
  | { readonly kind: "redirected"; readonly redirect: Redirect }
  | { readonly kind: "too-many-redirects" };

/** A redirect ended a request: redirects are errors, or there were too many. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
  readonly reason: RedirectReason;

  constructor(reason: RedirectReason) {
    super("A redirect was not followed");
    this.reason = reason;
  }
}
