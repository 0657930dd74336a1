/** The property of a `Response` in which a fetch returns the details of its connection. */
export const CONNECTION_DETAILS: unique symbol = Symbol.for("restlab.connection-details");

/** The property with which the fetch of a session names the fetch of the runtime that it wraps. */
export const RUNTIME_FETCH: unique symbol = Symbol.for("restlab.runtime-fetch");

/** The property of a fetch that sends every method, and bodies with GET and HEAD. */
const COMPLETE: unique symbol = Symbol.for("restlab.complete-fetch");

type Fetch = typeof globalThis.fetch;

/** Marks a fetch that sends what the Fetch standard refuses, so that a request needs no check before. */
export function markComplete(fetch: Fetch): Fetch {
  return Object.assign(fetch, { [COMPLETE]: true });
}

/** Whether a fetch sends what the Fetch standard refuses. */
export function isComplete(fetch: Fetch & { readonly [COMPLETE]?: unknown }): boolean {
  return fetch[COMPLETE] === true;
}

/** Whether a runtime's fetch refuses or changes a request that HTTP allows. */
export function isBeyondFetch(...[input, init]: Parameters<Fetch>): boolean {
  const { method = input instanceof Request ? input.method : "GET", body } = init ?? {};
  return (body != null && isBodiless(method)) || isChangedMethod(method);
}

/** Whether a `Request` with this method cannot have a body. */
export function isBodiless(method: string): boolean {
  return /^(?:GET|HEAD)$/i.test(method);
}

const USUAL: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

/** Whether the `Request` of this runtime changes a method: Bun 1.4 turns unknown methods into GET. */
export function isChangedMethod(method: string): boolean {
  return !USUAL.has(method) && methodOf(method).toUpperCase() !== method.toUpperCase();
}

/** The method of a `Request` of this runtime. */
export function methodOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}

/** Decodes percent-encoded text; malformed text is returned as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A URIError: an escape is malformed.
    return text;
  }
}
