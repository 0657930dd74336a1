import { type ArrivalHooks, type Exchange, NoResponseError } from "../../../lib/mod.ts";
import { type LiveContext, LiveResponse } from "./live/mod.ts";
import type { CellOutput } from "./output.ts";
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
 * Shows the responses of a cell while they arrive: in place if the front end can replace output, as lines
 * if it prints them, otherwise not at all. A response takes over the output that showed its request.
 */
export function watchLiveOutput({ sink, secrets, waiting }: LiveCell): LiveOutput {
  const canReplace = sink.displayWithId !== undefined && sink.update !== undefined;
  if (!canReplace && sink.streamItem === undefined) return NO_OUTPUT;
  let response: LiveResponse | undefined;
  const showExchange: LiveContext["show"] = (exchange) => show(exchange, secrets);
  const context: LiveContext = { sink, secrets, show: showExchange };
  const end = (): LiveResponse | undefined => {
    const ended = response;
    response = undefined;
    ended?.stop();
    return ended;
  };
  const replace = (exchange: Exchange): boolean => {
    // The record of a WebSocket comes without headers.
    const { id } = waiting.take();
    const isShown = end()?.replace(exchange) ?? false;
    if (isShown || id === undefined) return isShown;
    sink.update?.(id, showExchange(exchange));
    return true;
  };
  return {
    hooks: {
      onHeaders: (head) => {
        // A redirect, or another attempt, takes the place of what was shown before.
        const before = end();
        const { request = before?.request, id } = waiting.take();
        response = new LiveResponse(head, context, { request, id: before?.id ?? id });
        if (canReplace) response.waitForBody();
      },
      onChunk: (bytes) => response?.read(bytes),
      onProgress: (progress) => {
        if (canReplace) response?.update(progress);
      },
    },
    replace,
    fail: (error) => {
      waiting.fail();
      // The part that has arrived is worth more than its size.
      if (error instanceof NoResponseError && error.partial) end()?.show(error.partial);
      else end();
    },
    stop: () => {
      end();
    },
  };
}

type LiveCell = Pick<CellOutput, "sink" | "secrets" | "waiting">;
