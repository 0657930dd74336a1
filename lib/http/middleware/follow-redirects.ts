import { type Redirect, statusClass } from "../../exchange/mod.ts";
import type { Hop, Middleware, Warn } from "../request/mod.ts";
import { drainBody } from "../response/mod.ts";
import { RedirectError, type Settings } from "../transport/mod.ts";
import type { Attempt } from "./attempt.ts";
import { isRedirect, nextHop } from "./redirect.ts";

/**
 * Follows redirects and records them.
 *
 * @param bodyRefusal Returns why the body may not be sent to the next URL.
 */
export function followRedirects(
  { redirect: mode, maxRedirects }: Pick<Settings, "redirect" | "maxRedirects">,
  attempt: Attempt,
  bodyRefusal: (next: Hop) => Promise<string | undefined>,
  warn: Warn,
): Middleware {
  return (next) => async (first) => {
    attempt.redirects = [];
    for (let hop = first; ; ) {
      attempt.hop = hop;
      const response = await next(hop);
      if (mode === "manual" || !isRedirect(response)) return response;
      const redirect = describe(hop, response);
      if (mode === "error") {
        void drainBody(response);
        throw new RedirectError({ kind: "redirected", redirect });
      }
      const following = await nextHop(hop, redirect, bodyRefusal);
      if (typeof following === "string") {
        warn(following);
        return response;
      }
      attempt.redirects.push(redirect);
      await drainBody(response);
      if (attempt.redirects.length > maxRedirects) {
        throw new RedirectError({ kind: "too-many-redirects" });
      }
      hop = following;
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
