import type { Hop } from "./hop.ts";

/**
 * `fetch` for a request that can be sent again: a `Request` is used up by sending it, changes the names
 * of its headers to lower case, and on Bun its method.
 */
export type HopFetch = (hop: Hop) => Promise<Response>;

/** Adds something to a fetch: cookies, credentials, redirects. */
export type Middleware = (next: HopFetch) => HopFetch;

/** Notes something that a person is to read beside the answer. */
export type Tell = (warning: string) => void;

/** Puts middleware around a fetch, the outermost first. */
export function compose(middleware: readonly Middleware[], fetch: HopFetch): HopFetch {
  return middleware.reduceRight((next, layer) => layer(next), fetch);
}

/** A hop with a header in place of one of that name. */
export function withHeader(hop: Hop, name: string, value: string): Hop {
  const lower = name.toLowerCase();
  const others = hop.headers.filter(([other]) => other.toLowerCase() !== lower);
  return { ...hop, headers: [...others, [name, value]] };
}
