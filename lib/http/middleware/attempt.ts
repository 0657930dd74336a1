import type { HeaderList, Redirect, SentRequest } from "../../exchange/mod.ts";
import type { Hop, Middleware, PreparedRequest } from "../request/mod.ts";

/** What is known of a request on its way, of its latest attempt. */
export interface Trip {
  /** The hop that is on its way, before anything is added to it. */
  hop: Hop;
  /** The first hop as it went out; absent where nothing did. */
  sent: Hop | undefined;
  /** The redirects that were followed. */
  redirects: Redirect[];
}

/** Notes what goes out; the innermost middleware. */
export function recordSent(trip: Trip): Middleware {
  return (next) => (hop) => {
    if (trip.redirects.length === 0) trip.sent = hop;
    return next(hop);
  };
}

/** The request as it went out, with what hooks and middleware added and without what they left out. */
export function asSent(
  { sent: prepared, body }: Pick<PreparedRequest, "sent" | "body">,
  hop: Hop | undefined,
): SentRequest {
  if (hop === undefined) return prepared;
  const { headers, url, method } = hop;
  if (
    headers === prepared.headers &&
    url.href === prepared.url &&
    method === prepared.method &&
    hop.body === body
  ) {
    return prepared;
  }
  const known = lowerNames(prepared.headers);
  const left = lowerNames(headers);
  const kept = prepared.added.filter((name) => left.has(name.toLowerCase()));
  const added = headers.map(([name]) => name).filter((it) => !known.has(it.toLowerCase()));
  const sent = { ...prepared, method, url: url.href, headers, added: [...kept, ...added] };
  if (hop.body === body) return sent;
  const { streamed: _streamed, ...rest } = sent;
  return { ...rest, body: hop.body as string | Uint8Array | undefined };
}

function lowerNames(headers: HeaderList): ReadonlySet<string> {
  return new Set(headers.map(([name]) => name.toLowerCase()));
}
