import type { HeaderList } from "../../exchange/mod.ts";
import { isStreamed } from "../request/bodies/mod.ts";
import type { Hop, HopFetch } from "../request/mod.ts";
import { toByteString } from "../request/mod.ts";

/**
 * Sends hops by a `fetch`. A streamed body is opened anew each time.
 *
 * @param signal Ends each request, the reading of its answer included. It is not that of a `Request`,
 * which Node 20 lets go of with the request that carries it.
 * @param options What a person has said of it besides: `cache` and `credentials` in a browser, for one.
 */
export function sendBy(
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  options: RequestInit,
): HopFetch {
  return async ({ method, url, headers, body }) => {
    const init = {
      ...options,
      method,
      headers: withLength(outgoingHeaders(headers), body),
      redirect: "manual",
      signal,
    } as const;
    if (body === undefined) return await fetch(url.href, init);
    if (!isStreamed(body)) return await fetch(url.href, { ...init, body });
    // `duplex` is asked for by every runtime and missing in the types of the DOM.
    return await fetch(url.href, { ...init, body: body.stream(), duplex: "half" } as RequestInit);
  };
}

/** The headers as they go out: bytes, each name once. */
export function outgoingHeaders(list: HeaderList): [string, string][] {
  const headers = new Map<string, [string, string]>();
  for (const [name, value] of list) {
    const lower = name.toLowerCase();
    const known = headers.get(lower);
    if (known === undefined) headers.set(lower, [name, toByteString(value)]);
    // Deno joins repeated Cookie headers with a comma, which no server splits again.
    else known[1] += `${lower === "cookie" ? "; " : ", "}${toByteString(value)}`;
  }
  return [...headers.values()];
}

/** Without it a streamed body goes out in chunks, which some servers refuse; Deno 2.9 does so all the same. */
function withLength(headers: [string, string][], body: Hop["body"]): [string, string][] {
  if (!isStreamed(body) || body.size === undefined) return headers;
  if (headers.some(([name]) => name.toLowerCase() === "content-length")) return headers;
  return [...headers, ["Content-Length", String(body.size)]];
}
