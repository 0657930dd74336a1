/** The property of a fetch that sends every method, and bodies with GET and HEAD; a client looks for it. */
const COMPLETE = Symbol.for("restlab.complete-fetch");

/** Marks a fetch that sends also what {@link isBeyondFetch} is true of. */
export function markComplete(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return Object.assign(fetch, { [COMPLETE]: true });
}

/** Whether a runtime's fetch refuses or changes a request that HTTP allows, so that it goes over `node:http`. */
export function isBeyondFetch(...[input, init = {}]: Parameters<typeof globalThis.fetch>): boolean {
  const { method = input instanceof Request ? input.method : "GET", body } = init;
  return (body != null && /^(?:GET|HEAD)$/i.test(method)) || isChanged(method);
}

/** Bun 1.4 sends a GET for a method that it does not know. */
function isChanged(method: string): boolean {
  return madeOf(method).toUpperCase() !== method.toUpperCase();
}

function madeOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}
