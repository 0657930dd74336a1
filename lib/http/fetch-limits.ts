import { type HeaderList, UnsendableRequestError } from "../exchange/mod.ts";
import type { Hop, HopFetch } from "./attempt.ts";
import { missingDefaults } from "./headers.ts";
import { toByteString } from "./prepare.ts";
import { isStreamed } from "./streamed-body.ts";

/** The property of a fetch that sends every method, and bodies with GET and HEAD. */
const COMPLETE: unique symbol = Symbol.for("restlab.complete-fetch");

/** Whether a fetch sends what the Fetch standard refuses, so that a request needs no check before. */
export function isComplete(
  fetch: typeof globalThis.fetch & { readonly [COMPLETE]?: unknown },
): boolean {
  return fetch[COMPLETE] === true;
}

/** Whether a `Request` with this method cannot have a body. */
export function isBodiless(method: string): boolean {
  return /^(?:GET|HEAD)$/i.test(method);
}

const USUAL: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

/** Whether the `Request` of this runtime changes a method: Bun 1.4 turns unknown methods into GET. */
export function isChangedMethod(method: string): boolean {
  if (USUAL.has(method)) return false;
  return madeOf(method).toUpperCase() !== method.toUpperCase();
}

/**
 * Wraps a fetch so that it refuses what it cannot send, before it sends anything: methods that it would
 * silently change, and bodies with GET and HEAD, which the Fetch standard forbids.
 */
export function refuseUnsendable(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (isComplete(fetch)) return fetch;
  return async (input, init) => {
    const { method = "GET", body } = init ?? {};
    if (isChangedMethod(method)) {
      throw new UnsendableRequestError(
        `Cannot send the method "${method}": the fetch of this runtime would send ${madeOf(method)} ` +
          "instead; pass platformFetch of restlab/platform to createClient",
      );
    }
    if (body != null && isBodiless(method)) {
      throw new UnsendableRequestError(
        `Cannot send ${method} "${String(input)}" with a body: the fetch of this client refuses it; ` +
          "Node, Deno and Bun send it with platformFetch of restlab/platform and no other fetch; " +
          "elsewhere use POST or QUERY, or move the values to the query of the URL",
      );
    }
    return await fetch(input, init);
  };
}

function madeOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}

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
