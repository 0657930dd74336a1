import type { HeaderList, Redirect, SentRequest } from "../../exchange/mod.ts";
import type { Hop, Middleware, PreparedRequest } from "../request/mod.ts";

/** The state of the latest attempt to send a request. */
export interface Attempt {
  /** The current hop, before middleware adds anything to it. */
  hop: Hop;
  /** The first hop as it was sent; left out if nothing was. */
  sent: Hop | undefined;
  /** The redirects that were followed. */
  redirects: Redirect[];
}

/** Records the hop that is sent; the innermost middleware. */
export function recordSent(attempt: Attempt): Middleware {
  return (next) => (hop) => {
    if (attempt.redirects.length === 0) attempt.sent = hop;
    return next(hop);
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
  const before = lowerNames(prepared.headers);
  const after = lowerNames(headers);
  const kept = prepared.added.filter((name) => after.has(name.toLowerCase()));
  const added = headers.map(([name]) => name).filter((name) => !before.has(name.toLowerCase()));
  const sent = { ...prepared, method, url: url.href, headers, added: [...kept, ...added] };
  if (hop.body === body) return sent;
  const { streamed: _streamed, ...rest } = sent;
  return { ...rest, body: hop.body as string | Uint8Array | undefined };
}

function lowerNames(headers: HeaderList): ReadonlySet<string> {
  return new Set(headers.map(([name]) => name.toLowerCase()));
}
