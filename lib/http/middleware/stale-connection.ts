import { isStreamed } from "../request/bodies/mod.ts";
import type { Hop, Middleware } from "../request/mod.ts";
import { explainFailure } from "../transport/mod.ts";

/** Idempotent methods (RFC 9110, section 9.2.2), except TRACE, which fetch forbids. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Resends a request whose kept-alive connection the server had closed. Deno and Bun do it themselves; Node
 * does not, and does not notice the close while a cell computes.
 *
 * @param answered The origins that have responded. Without a flag in the error, only these can have had a
 * kept-alive connection.
 * @param signal Nothing is resent once it is aborted.
 */
export function retryStaleConnections(answered: Set<string>, signal: AbortSignal): Middleware {
  return (next) => async (hop) => {
    for (let isSecondTry = false; ; isSecondTry = true) {
      try {
        const response = await next(hop);
        answered.add(hop.url.origin);
        return response;
      } catch (cause) {
        const mayBeStale = answered.has(hop.url.origin) && !isSecondTry;
        if (signal.aborted || !isStaleConnection(hop, cause, mayBeStale)) throw cause;
      }
    }
  };
}

/** @param mayBeStale Used if the error does not have a flag for reused connections. */
function isStaleConnection(hop: Hop, cause: unknown, mayBeStale: boolean): boolean {
  // The flag of Node. If it is set, the second attempt may have failed on another stale connection.
  const { reusedSocket = mayBeStale } = Object(cause) as { readonly reusedSocket?: boolean };
  return (
    reusedSocket &&
    IDEMPOTENT.has(hop.method) &&
    !isStreamed(hop.body) &&
    explainFailure(cause).code === "reset"
  );
}
