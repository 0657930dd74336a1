import { NoResponseError, type PendingRequest } from "../exchange/mod.ts";
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

/** What the running code has to do with the requests in flight. */
interface InFlightOptions {
  /** Returns the signal that ends the running code, if there is one. */
  readonly owner?: (() => AbortSignal | undefined) | undefined;
  /** Called with each request that is registered; what it returns is called when the request has ended. */
  readonly onPending?: ((request: PendingRequest) => (() => void) | undefined) | undefined;
}

/** Creates an empty list of requests in flight. */
export function createInFlight({
  owner: ownerOf = () => undefined,
  onPending,
}: InFlightOptions = {}): InFlight {
  const requests = new Map<
    Deadline,
    { readonly request: InFlightRequest; readonly onEnd: (() => void) | undefined }
  >();
  const inFlight: InFlight = {
    get pending() {
      return [...requests.values()].map(({ request }) => request);
    },
    check: () => ownerOf()?.throwIfAborted(),
    start(request, timeout, signal) {
      inFlight.check();
      const deadline = startDeadline(timeout, signal, ownerOf());
      requests.set(deadline, { request, onEnd: onPending?.(request) });
      return deadline;
    },
    end(deadline) {
      const onEnd = requests.get(deadline)?.onEnd;
      requests.delete(deadline);
      onEnd?.();
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
