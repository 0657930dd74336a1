import { isOwnOrigin, type RequestSpec, type ResolvedRequest } from "../../http/mod.ts";

/** The first request; it is rendered here if its URL has to change. */
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
  const isInMemory = typeof body === "string" || body instanceof Uint8Array;
  return { method, url: url.href, headers, ...(isInMemory ? { body } : {}) };
}
