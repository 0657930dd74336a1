import type { BodySink } from "../cell/mod.ts";
import { unlessAborted } from "../cell/mod.ts";
import type { LiveOutput } from "./live-output.ts";

/** What a WebSocket is asked for with; its record is no body that comes. */
const SWITCHING_PROTOCOLS = 101;

/** Hands the bodies of answers on as they come, as fast as they are taken. */
export function handOn(bodies: BodySink, signal: AbortSignal): LiveOutput {
  let isBody = false;
  return {
    hooks: {
      keepBytes: bodies.keepBytes,
      onHeaders: ({ status }) => {
        isBody = status !== SWITCHING_PROTOCOLS;
      },
      // Who takes it may have stopped, which an interrupt does not wait for.
      onChunk: (bytes) => (isBody ? unlessAborted(signal, bodies.write(bytes)) : undefined),
    },
    replace: (exchange) => {
      if (!isBody) bodies.whole(exchange);
      return true;
    },
    fail: () => undefined,
  };
}
