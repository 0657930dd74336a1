import { UnsendableRequestError } from "../../exchange/mod.ts";

const USUAL: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

/** Whether this runtime makes another one of a method: Bun 1.4 makes a GET of what it does not know. */
export function isChangedMethod(method: string): boolean {
  if (USUAL.has(method)) return false;
  return madeOf(method).toUpperCase() !== method.toUpperCase();
}

/** A fetch that refuses what it would change without a word. */
export function refuseChangedMethods(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { method = "GET" } = init ?? {};
    if (!isChangedMethod(method)) return await fetch(input, init);
    throw new UnsendableRequestError(
      `Cannot send the method "${method}": the fetch of this runtime would send ${madeOf(method)} ` +
        "instead; give createClient the platformFetch of restlab/platform",
    );
  };
}

function madeOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}
