import { UnsendableRequestError } from "../../exchange/mod.ts";
import { isOwnOrigin, type RequestSpec, type ResolvedRequest } from "../../http/mod.ts";

/** The request of the first page; the URL of a text is changed when it has been rendered. */
export function firstRequest(
  request: string | RequestSpec,
  first: (url: string) => string,
): string | RequestSpec {
  return typeof request === "object" ? { ...request, url: first(request.url) } : request;
}

/**
 * The request of another page: that of the first page with another URL. Credentials and cookies, which
 * were added to the first when it was sent, are added to this one again, as far as its origin allows.
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
    // Query fields may contain an API key, which is only for the origin of the first page.
    return { ...rest, url: url.href, ...(isHome && query !== undefined ? { query } : {}) };
  }
  if (typeof body === "object" && !(body instanceof Uint8Array)) {
    throw new UnsendableRequestError("its body is a file; pass the request as data");
  }
  return { method, url: url.href, headers, ...(body === undefined ? {} : { body }) };
}
