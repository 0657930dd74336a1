import type { HeaderList } from "../../exchange/mod.ts";
import type { SendableBody } from "./prepare.ts";

/** One request of a redirect chain. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body: SendableBody | undefined;
  /** The credentials of the URL as a header, for the origin of that URL only. */
  readonly authorization?: string;
}

/**
 * `fetch` for a hop. A `Request` can be sent only once, has its header names in lower case, and on Bun
 * changes its method.
 */
export type HopFetch = (hop: Hop) => Promise<Response>;

/** Wraps a fetch, for cookies, credentials or redirects. */
export type Middleware = (next: HopFetch) => HopFetch;

/** Adds a warning to the exchange, or with `info` a note. */
export type Warn = (text: string, level?: "warning" | "info") => void;

/** Sorts warnings and notes into the lists of a request. */
export function warnTo(lists: { readonly warnings: string[]; readonly notes: string[] }): Warn {
  return (text, level) => void (level === "info" ? lists.notes : lists.warnings).push(text);
}

/** Wraps a fetch in middleware, the outermost first. */
export function compose(middleware: readonly Middleware[], fetch: HopFetch): HopFetch {
  return middleware.reduceRight((next, layer) => layer(next), fetch);
}

/** Sets a header of a hop and replaces those of the same name. */
export function withHeader(hop: Hop, name: string, value: string): Hop {
  const lower = name.toLowerCase();
  const others = hop.headers.filter(([other]) => other.toLowerCase() !== lower);
  return { ...hop, headers: [...others, [name, value]] };
}
