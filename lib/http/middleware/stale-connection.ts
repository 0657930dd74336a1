import { isStreamed } from "../request/bodies/mod.ts";
import type { Hop, Middleware } from "../request/mod.ts";
import { explainFailure } from "../transport/mod.ts";

/** Methods whose repetition changes nothing more (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Sends a request once more that met a kept connection which its server had closed meanwhile. Deno and
 * Bun do so by themselves, and Node does not: while a cell computes, nobody there notices that a
 * server hangs up.
 *
 * @param answered The origins that have answered before: others have no kept connection, where the
 * failure does not say whether it was one.
 * @param signal Nothing is sent again once it is aborted.
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

/** @param mayBeStale What holds where the failure does not say whether the connection had been kept. */
function isStaleConnection(hop: Hop, cause: unknown, mayBeStale: boolean): boolean {
  // As Node calls it. Of a connection that was kept for sure there may be another one.
  const { reusedSocket = mayBeStale } = Object(cause) as { readonly reusedSocket?: boolean };
  return (
    reusedSocket &&
    IDEMPOTENT.has(hop.method) &&
    !isStreamed(hop.body) &&
    explainFailure(cause).code === "reset"
  );
}
