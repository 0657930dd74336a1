import { type BodySink, unlessAborted } from "../cell/mod.ts";
import type { LiveOutput } from "./live-output.ts";

/** The status of a WebSocket handshake, whose record is not a body. */
const SWITCHING_PROTOCOLS = 101;

/** Forwards the bodies of responses while they arrive, as fast as the sink writes them. */
export function forwardBodies(bodies: BodySink, signal: AbortSignal): LiveOutput {
  let isBody = false;
  return {
    hooks: {
      keepBytes: bodies.keepBytes,
      onHeaders: (head) => {
        isBody = head.status !== SWITCHING_PROTOCOLS && (bodies.begins?.(head) ?? true);
      },
      // A sink may have stalled, and an interrupt does not wait for it.
      onChunk: (bytes) => (isBody ? unlessAborted(signal, bodies.write(bytes)) : undefined),
    },
    replace: (exchange) => {
      if (!isBody) bodies.whole(exchange);
      return true;
    },
    fail: () => undefined,
    stop: () => undefined,
  };
}
