import { UnsendableRequestError } from "../../exchange/mod.ts";

const USUAL: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

/** Whether the `Request` of this runtime changes a method: Bun 1.4 turns unknown methods into GET. */
export function isChangedMethod(method: string): boolean {
  if (USUAL.has(method)) return false;
  return madeOf(method).toUpperCase() !== method.toUpperCase();
}

/** Wraps a fetch so that it refuses methods that it would silently change. */
export function refuseChangedMethods(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { method = "GET" } = init ?? {};
    if (!isChangedMethod(method)) return await fetch(input, init);
    throw new UnsendableRequestError(
      `Cannot send the method "${method}": the fetch of this runtime would send ${madeOf(method)} ` +
        "instead; pass platformFetch of restlab/platform to createClient",
    );
  };
}

function madeOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}
