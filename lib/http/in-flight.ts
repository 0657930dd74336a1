import type { PendingRequest } from "../exchange/mod.ts";
import { NoResponseError } from "../exchange/mod.ts";
import type { TransferProgress } from "./response/mod.ts";
import { type Deadline, startDeadline } from "./transport/mod.ts";

/** A request in flight, as `pending` shows it. */
export type InFlightRequest = PendingRequest & TransferProgress;

/** The requests in flight of a client and of those that extend it. Every request is registered here. */
export interface InFlight {
  readonly pending: readonly PendingRequest[];
  /** @throws The abort reason of the calling code, which may send nothing more. */
  check(): void;
  /**
   * Registers a request and starts its deadline, which also ends when the calling code is ended.
   *
   * @param timeout Milliseconds; 0 or Infinity for none.
   * @param signal The caller's.
   * @throws The same as {@link InFlight.check}.
   */
  start(request: InFlightRequest, timeout: number, signal: AbortSignal | undefined): Deadline;
  end(deadline: Deadline): void;
  /**
   * Registers a request and runs a task that precedes it, without a time limit.
   *
   * @throws {NoResponseError} The request was aborted.
   * @throws What the task throws.
   */
  wait<T>(
    request: InFlightRequest,
    signal: AbortSignal | undefined,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Aborts every request and returns how many there were. */
  abort(reason: unknown): number;
}

/** @param ownerOf Returns the signal that ends the running code, if there is one. */
export function createInFlight(ownerOf: () => AbortSignal | undefined = () => undefined): InFlight {
  const requests = new Map<Deadline, InFlightRequest>();
  const inFlight: InFlight = {
    get pending() {
      return [...requests.values()];
    },
    check: () => ownerOf()?.throwIfAborted(),
    start(request, timeout, signal) {
      inFlight.check();
      const deadline = startDeadline(timeout, signal, ownerOf());
      requests.set(deadline, request);
      return deadline;
    },
    end(deadline) {
      requests.delete(deadline);
      deadline.release();
    },
    async wait(request, signal, task) {
      const deadline = inFlight.start(request, 0, signal);
      try {
        return await task(deadline.signal);
      } catch (cause) {
        if (deadline.stop?.kind !== "aborted") throw cause;
        throw abortedBeforeSending(request, deadline.stop.reason);
      } finally {
        inFlight.end(deadline);
      }
    },
    abort(reason) {
      const { size } = requests;
      for (const deadline of requests.keys()) deadline.abort(reason);
      return size;
    },
  };
  return inFlight;
}

function abortedBeforeSending({ method, url }: InFlightRequest, cause: unknown): NoResponseError {
  const request = { method, url, writtenUrl: url, headers: [], added: [], body: undefined };
  const message = `${method} "${url}" was aborted before it was sent`;
  return new NoResponseError("aborted", message, { request, redirects: [], cause });
}
