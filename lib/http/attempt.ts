import {
  detailsOf,
  type ExchangeHop,
  type HeaderList,
  isReplayed,
  type Redirect,
  type SentRequest,
} from "../exchange/mod.ts";
import { excludeHeaders } from "./headers.ts";
import type { PreparedRequest, SendableBody } from "./prepare.ts";
import { discardedBody } from "./read-body.ts";
import { isStreamed } from "./streamed-body.ts";

/** The state of the latest attempt to send a request. */
export interface Attempt {
  /** The current hop, before middleware adds anything to it. */
  hop: Hop;
  /** The first hop as it was sent; left out if nothing was. */
  sent: Hop | undefined;
  /** The redirects that were followed. */
  redirects: Redirect[];
  /** All hops that were answered, those of earlier attempts included. */
  readonly answered: AnsweredHop[];
}

/** A hop as it was sent, and what is known of its response. */
type AnsweredHop = Omit<ExchangeHop, "headers" | "response" | keyof Hop> & {
  readonly hop: Hop;
  readonly response: Response;
};

/** Records each hop that is sent; the innermost middleware. */
export function recordSent(attempt: Attempt): Middleware {
  return (next) => async (hop) => {
    if (attempt.redirects.length === 0) attempt.sent = hop;
    const startedAt = new Date();
    const start = performance.now();
    const response = await next(hop);
    attempt.answered.push({
      hop,
      startedAt,
      wait: performance.now() - start,
      response,
      connection: detailsOf(response),
      isReplayed: isReplayed(response),
    });
    return response;
  };
}

/**
 * The hops as an exchange has them.
 *
 * @param headersOf Returns all headers of a hop.
 */
export function toExchangeHops(
  { answered }: Pick<Attempt, "answered">,
  { sent, body }: Pick<PreparedRequest, "sent" | "body">,
  headersOf: (hop: Hop) => HeaderList,
): readonly ExchangeHop[] {
  return answered.map(({ hop, response, ...rest }, index) => {
    const { status, statusText, headers } = response;
    const head = { status, statusText, headers };
    // As it was written: what is sent may be its bytes.
    const own = hop.body === body ? sent.body : isStreamed(hop.body) ? undefined : hop.body;
    return {
      ...rest,
      method: hop.method,
      url: hop.url.href,
      headers: headersOf(hop),
      body: own,
      response: index === answered.length - 1 ? head : withDiscarded(head, response),
    };
  });
}

/** Its body may not have been received yet: it is looked up when it is asked for. */
function withDiscarded(
  head: Pick<ExchangeHop["response"], "status" | "statusText" | "headers">,
  response: Response,
): ExchangeHop["response"] {
  return {
    ...head,
    get discarded() {
      return discardedBody(response);
    },
  };
}

/** The request as it was sent, with the changes of hooks and middleware; the same object without any. */
export function toSentRequest(
  { sent: prepared, body }: Pick<PreparedRequest, "sent" | "body">,
  hop: Hop | undefined,
): SentRequest {
  if (hop === undefined) return prepared;
  const { headers, url, method } = hop;
  const isSameHead = method === prepared.method && url.href === prepared.url;
  if (isSameHead && headers === prepared.headers && hop.body === body) return prepared;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = prepared.added.filter((name) => names.has(name.toLowerCase()));
  const added = excludeHeaders(headers, prepared.headers).map(([name]) => name);
  const sent = { ...prepared, method, url: url.href, headers, added: [...kept, ...added] };
  if (hop.body === body) return sent;
  const { streamed: _streamed, uncompressed: _uncompressed, ...rest } = sent;
  return { ...rest, body: hop.body as string | Uint8Array | undefined };
}

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
