import { UnsendableRequestError } from "../../exchange/mod.ts";

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
