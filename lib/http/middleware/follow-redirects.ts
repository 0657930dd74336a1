import type { Redirect } from "../../exchange/mod.ts";
import { statusClass } from "../../exchange/mod.ts";
import type { Hop, Middleware, Tell } from "../request/mod.ts";
import { drainBody } from "../response/mod.ts";
import type { Settings } from "../transport/mod.ts";
import { RedirectError } from "../transport/mod.ts";
import { isRedirect, nextHop } from "./redirect.ts";
import type { Trip } from "./trip.ts";

/**
 * Follows redirects, and notes them.
 *
 * @param whyNoBody Why the body may not go where a redirect leads, if it may not.
 */
export function followRedirects(
  { redirect: mode, maxRedirects }: Pick<Settings, "redirect" | "maxRedirects">,
  trip: Trip,
  whyNoBody: (next: Hop) => Promise<string | undefined>,
  tell: Tell,
): Middleware {
  return (next) => async (first) => {
    trip.redirects = [];
    for (let hop = first; ; ) {
      trip.hop = hop;
      const response = await next(hop);
      if (mode === "manual" || !isRedirect(response)) return response;
      const redirect = describe(hop, response);
      if (mode === "error") {
        void drainBody(response);
        throw new RedirectError({ kind: "redirected", redirect });
      }
      const following = await nextHop(hop, redirect, whyNoBody);
      if (following.kind === "answer") {
        tell(following.warning);
        return response;
      }
      trip.redirects.push(redirect);
      await drainBody(response);
      if (trip.redirects.length > maxRedirects) {
        throw new RedirectError({ kind: "too-many-redirects" });
      }
      hop = following.hop;
    }
  };
}

function describe({ method, url }: Hop, { status, statusText, headers }: Response): Redirect {
  return {
    method,
    url: url.href,
    status,
    statusText,
    statusClass: statusClass(status),
    location: headers.get("location") ?? "",
  };
}
