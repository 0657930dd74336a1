import type { Track } from "./arrival/hooks.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { NoResponseError } from "./errors.ts";
import type { PendingRequest } from "./pending-request.ts";

/** A request that is on its way, as `pending` shows it. */
export type Flight = PendingRequest & Track;

/**
 * Waits, without a time limit, for what has to be there before a request; `pending` and `abort` know
 * of it.
 *
 * @param signal The caller's.
 * @throws {NoResponseError} It was stopped; or whatever the task throws.
 */
export async function waitInFlight<T>(
  inFlight: Map<Deadline, Flight>,
  flight: Flight,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const waiting = startDeadline(0, signal);
  inFlight.set(waiting, flight);
  try {
    return await task(waiting.signal);
  } catch (cause) {
    if (waiting.stop === undefined) throw cause;
    throw abortedBefore(flight, waiting.signal.reason);
  } finally {
    inFlight.delete(waiting);
    waiting.release();
  }
}

/** What is thrown where something was stopped that had to be there before the request. */
function abortedBefore(
  { method, url }: Pick<Flight, "method" | "url">,
  cause: unknown,
): NoResponseError {
  const request = {
    method,
    url,
    writtenUrl: url,
    headers: [],
    added: [],
    body: undefined,
  };
  const message = `${method} "${url}" was not sent: it was aborted before its turn came`;
  return new NoResponseError("aborted", message, { request, redirects: [], cause });
}
