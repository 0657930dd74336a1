import type { HeaderList } from "../../exchange/mod.ts";
import { isStreamed } from "../request/bodies/mod.ts";
import { type Hop, type HopFetch, toByteString } from "../request/mod.ts";
import { missingDefaults } from "./default-headers.ts";

/**
 * Sends hops by a `fetch`. A streamed body is opened for each hop.
 *
 * @param signal Ends a hop and the reading of its response. It is not passed in a `Request`: Node 20
 * drops the signal when that is garbage-collected.
 * @param options Further options of the user, such as `cache` and `credentials` in a browser.
 */
export function sendByFetch(
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  options: RequestInit,
): HopFetch {
  return async ({ method, url, headers, body }) => {
    const init = {
      ...options,
      method,
      headers: withLength(outgoingHeaders([...headers, ...missingDefaults(headers)]), body),
      redirect: "manual",
      signal,
    } as const;
    if (body === undefined) return await fetch(url.href, init);
    if (!isStreamed(body)) return await fetch(url.href, { ...init, body });
    // Every runtime requires `duplex`, which the DOM types do not have.
    return await fetch(url.href, { ...init, body: body.stream(), duplex: "half" } as RequestInit);
  };
}

/** Headers for fetch: byte strings, each name once. */
export function outgoingHeaders(list: HeaderList): [string, string][] {
  const headers = new Map<string, [string, string]>();
  for (const [name, value] of list) {
    const lower = name.toLowerCase();
    const known = headers.get(lower);
    if (known === undefined) headers.set(lower, [name, toByteString(value)]);
    // Deno would join repeated Cookie headers with a comma, which servers do not split.
    else known[1] += `${lower === "cookie" ? "; " : ", "}${toByteString(value)}`;
  }
  return [...headers.values()];
}

/** Without Content-Length a stream is sent in chunks, which some servers refuse. Deno 2.9 always does that. */
function withLength(headers: [string, string][], body: Hop["body"]): [string, string][] {
  if (!isStreamed(body) || body.size === undefined) return headers;
  if (headers.some(([name]) => name.toLowerCase() === "content-length")) return headers;
  return [...headers, ["Content-Length", String(body.size)]];
}
