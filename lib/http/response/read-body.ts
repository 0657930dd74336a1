import type { Content, DiscardedBody } from "../../exchange/mod.ts";
import { BodyBuffer } from "./body-buffer.ts";
import { type BodyObserver, lengthOf } from "./body-observer.ts";

/** A body, as far as it was read. */
export interface ReadBody {
  readonly content: Content;
  /** Whether the body was longer than the limit. */
  readonly cut: boolean;
  /** Why the body ended early. */
  readonly failure?: { readonly cause: unknown };
  /** Set if the observer stopped the body. */
  readonly stopped?: true;
  /** Bytes received; `content` may have fewer. */
  readonly received: number;
}

/**
 * Reads a response body up to a limit and passes its chunks to an observer. At the limit the download
 * ends; but if the observer sets `keepBytes`, further chunks are only passed on.
 *
 * @param response The response, not read yet.
 * @param maxBytes The limit in bytes, after decompression.
 * @param signal Ends the wait for a stream whose consumer does not read.
 * @returns The body; if the connection ends early, with `failure` and the bytes received before.
 * @throws What the observer throws; the download ends then.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  observer?: BodyObserver,
  signal?: AbortSignal,
): Promise<ReadBody> {
  const limit = observer?.keepBytes ?? maxBytes;
  const body = new BodyBuffer(() => lengthOf(response), limit);
  let received = 0;
  const result = (more: Omit<ReadBody, "content" | "cut" | "received"> = {}): ReadBody => {
    const cut = received > body.length;
    return { content: body.take(), cut, received, ...more };
  };
  const reader = response.body?.getReader();
  if (reader === undefined) return result();
  // Not awaited: a cancellation may wait for the server.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  for (;;) {
    let step: Awaited<ReturnType<typeof reader.read>>;
    try {
      step = await reader.read();
    } catch (cause) {
      return result({ failure: { cause } });
    }
    if (step.done) return result();
    const chunk = step.value;
    received += chunk.byteLength;
    if (body.length < limit) {
      const part = chunk.subarray(0, limit - body.length);
      // A part is copied, since a view would keep its whole buffer alive.
      body.push(part.byteLength === chunk.byteLength ? part : part.slice());
    }
    const isOver = received > limit && observer?.keepBytes === undefined;
    try {
      const observed = isOver ? chunk.subarray(0, limit - (received - chunk.byteLength)) : chunk;
      const waiting = observer?.chunk(observed);
      // Only for streams: hooks and downloads end by themselves.
      const mayWaitForever = observer?.mayStop === true && signal !== undefined;
      const taken = await (mayWaitForever ? unlessStopped(waiting, signal) : waiting);
      if (taken === STOPPED) {
        cancel();
        return result({ failure: { cause: signal?.reason } });
      }
      if (taken === false) {
        cancel();
        return result({ stopped: true });
      }
    } catch (error) {
      cancel();
      throw error;
    }
    if (isOver) {
      cancel();
      return result();
    }
  }
}

const STOPPED = Symbol("stopped");

function unlessStopped(waiting: unknown, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(STOPPED);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    Promise.resolve(waiting)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

const DISCARDED = new WeakMap<Response, DiscardedBody>();

/**
 * Reads a discarded body to its end if it is short, so that its connection is reused, and keeps it for recordings. It
 * never rejects.
 */
export async function drainBody(response: Response): Promise<void> {
  try {
    const { content, cut } = await readBody(response, 65_536);
    if (content.length > 0) DISCARDED.set(response, { bytes: content.whole(), cut });
  } catch {
    // The body is already being read.
  }
}

/** The body of a response that was drained, as far as it has been received. */
export function discardedBody(response: Response): DiscardedBody | undefined {
  return DISCARDED.get(response);
}
