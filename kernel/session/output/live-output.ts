import {
  type ArrivalHooks,
  type Exchange,
  NoResponseError,
  type PendingRequest,
  type Secrets,
} from "../../../lib/mod.ts";
import type { OutputSink } from "../cell/mod.ts";
import { type LiveContext, LiveResponse, LiveWaiting } from "./live/mod.ts";
import { show } from "./show.ts";

/** Shows the responses of a cell while they arrive. */
export interface LiveOutput {
  readonly hooks: ArrivalHooks;
  /** Replaces what was shown of a response by the complete one; false if nothing was shown. */
  replace(exchange: Exchange): boolean;
  fail(error: unknown): void;
  /** Stops all timers, after the last response. */
  stop(): void;
}

const NO_OUTPUT: LiveOutput = {
  hooks: {},
  replace: () => false,
  fail: () => undefined,
  stop: () => undefined,
};

/**
 * Shows the responses of a cell while they are waited for and arrive: in place if the front end can
 * replace output, as lines if it prints them, otherwise not at all.
 *
 * @param pending Returns the request that is in flight.
 */
export function watchLiveOutput(
  sink: OutputSink,
  secrets: Secrets,
  pending: () => PendingRequest | undefined,
): LiveOutput {
  const canReplace = sink.displayWithId !== undefined && sink.update !== undefined;
  if (!canReplace && sink.streamItem === undefined) return NO_OUTPUT;
  let response: LiveResponse | undefined;
  const showExchange = (exchange: Exchange) => show(exchange, secrets);
  const context: LiveContext = { sink, secrets, pending, show: showExchange };
  let waiting = canReplace ? new LiveWaiting(context) : undefined;
  /** The output that showed the waiting, which the response takes over. */
  const endWaiting = (): string | undefined => {
    const id = waiting?.stop();
    waiting = undefined;
    return id;
  };
  const end = (): LiveResponse | undefined => {
    const ended = response;
    response = undefined;
    ended?.stop();
    return ended;
  };
  const replace = (exchange: Exchange): boolean => {
    // The record of a WebSocket comes without headers.
    const id = endWaiting();
    const isShown = end()?.replace(exchange) ?? false;
    waiting = canReplace ? new LiveWaiting(context) : undefined;
    if (isShown || id === undefined) return isShown;
    sink.update?.(id, showExchange(exchange));
    return true;
  };
  return {
    hooks: {
      onHeaders: (head) => {
        // A redirect, or another attempt, takes the place of what was shown before.
        const id = end()?.id ?? endWaiting();
        response = new LiveResponse(head, context, id);
        if (canReplace) response.waitForBody();
      },
      onChunk: (bytes) => response?.read(bytes),
      onProgress: (progress) => {
        if (canReplace) response?.update(progress);
      },
    },
    replace,
    fail: (error) => {
      waiting?.end();
      waiting = undefined;
      // The part that has arrived is worth more than its size.
      if (error instanceof NoResponseError && error.partial) end()?.show(error.partial);
      else end();
    },
    stop: () => {
      endWaiting();
      end();
    },
  };
}
