import type { PendingRequest } from "../exchange/mod.ts";
import { NoResponseError } from "../exchange/mod.ts";
import type { Track } from "./response/mod.ts";
import { type Deadline, startDeadline } from "./transport/mod.ts";

/** A request that is on its way, as `pending` shows it. */
export type Flight = PendingRequest & Track;

/** What a family of clients has on its way: all that is sent starts here. */
export interface InFlight {
  readonly pending: readonly PendingRequest[];
  /** @throws The reason for which the code that calls was ended: it sends nothing more. */
  check(): void;
  /**
   * Starts a deadline for a request, which ends with the code that started it as well; `pending` and
   * `abort` know of it until it is ended.
   *
   * @param timeout Milliseconds; 0 or Infinity for none.
   * @param signal The caller's.
   * @throws What {@link InFlight.check} throws.
   */
  start(flight: Flight, timeout: number, signal: AbortSignal | undefined): Deadline;
  end(deadline: Deadline): void;
  /**
   * Waits, without a time limit, for what has to be there before a request.
   *
   * @throws {NoResponseError} It was stopped; or whatever the task throws.
   */
  wait<T>(
    flight: Flight,
    signal: AbortSignal | undefined,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Aborts everything, and says how many requests that were. */
  abort(reason: unknown): number;
}

/** @param ownerOf What ends the code that is running, if anything does. */
export function createInFlight(ownerOf: () => AbortSignal | undefined = () => undefined): InFlight {
  const flights = new Map<Deadline, Flight>();
  const inFlight: InFlight = {
    get pending() {
      return [...flights.values()];
    },
    check: () => ownerOf()?.throwIfAborted(),
    start: (flight, timeout, signal) => {
      const owner = ownerOf();
      owner?.throwIfAborted();
      const deadline = startDeadline(timeout, signal, owner);
      flights.set(deadline, flight);
      return deadline;
    },
    end: (deadline) => {
      flights.delete(deadline);
      deadline.release();
    },
    wait: async (flight, signal, task) => {
      const waiting = inFlight.start(flight, 0, signal);
      try {
        return await task(waiting.signal);
      } catch (cause) {
        if (waiting.stop === undefined) throw cause;
        throw abortedBefore(flight, waiting.stop.kind === "aborted" ? waiting.stop.reason : cause);
      } finally {
        inFlight.end(waiting);
      }
    },
    abort: (reason) => {
      const count = flights.size;
      for (const deadline of flights.keys()) deadline.abort(reason);
      return count;
    },
  };
  return inFlight;
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
