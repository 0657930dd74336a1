import type { RequestSpec, ResolvedRequest } from "../../http/mod.ts";
import { isOwnOrigin } from "../../http/mod.ts";

/** The first request; where its URL has to change, it is rendered here. */
export function firstRequest(
  request: string | RequestSpec,
  first: (url: string) => string,
  render: (text: string) => RequestSpec,
): string | RequestSpec {
  if (typeof request === "object") return { ...request, url: first(request.url) };
  const spec = render(request);
  const url = first(spec.url);
  return url === spec.url ? request : { ...spec, url };
}

/**
 * The request for another page: the same but for its URL. What was added to the first one on its way,
 * credentials and cookies, is added to this one anew, where it may be.
 */
export function nextRequest(
  request: string | RequestSpec,
  { method, headers, body }: Pick<ResolvedRequest, "method" | "headers" | "body">,
  home: URL,
  to: string,
): RequestSpec {
  const url = new URL(to);
  const isHome = isOwnOrigin(url, home);
  if (isHome && url.username === "" && url.password === "") {
    url.username = home.username;
    url.password = home.password;
  }
  if (typeof request === "object") {
    const { query, ...rest } = request;
    // The fields of its query are those of its server, a key for one.
    return { ...rest, url: url.href, ...(isHome && query !== undefined ? { query } : {}) };
  }
  const isHeld = typeof body === "string" || body instanceof Uint8Array;
  return { method, url: url.href, headers, ...(isHeld ? { body } : {}) };
}
