import type { Content } from "../../exchange/mod.ts";
import { createBodyBuffer } from "./body-buffer.ts";
import { type BodyObserver, lengthOf } from "./body-observer.ts";

/** A body as far as it was read. */
export interface ReadBody {
  readonly content: Content;
  /** True where the body was longer than the cap. */
  readonly cut: boolean;
  /** What broke the body off, where something did. */
  readonly failure?: { readonly cause: unknown };
  /** True where the one who watches has had enough. */
  readonly stopped?: true;
  /** How many bytes came: more than `content` has if those were not kept. */
  readonly received: number;
}

/**
 * Reads a response body up to a cap, and hands out its pieces as they come where somebody watches.
 * Beyond the cap nothing more is downloaded, unless the one who watches says how much is to be kept:
 * then what goes beyond that is handed out and not kept. A connection that breaks off is told in
 * `failure`, with the bytes that came before.
 *
 * @param response The response, not read yet.
 * @param maxBytes The cap in bytes, after decompression.
 * @param signal What ends it while a stream waits for its reader: nothing else would.
 * @throws What the one who watches throws; nothing more is downloaded then.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  arrival?: BodyObserver,
  signal?: AbortSignal,
): Promise<ReadBody> {
  const cap = arrival?.keepBytes ?? maxBytes;
  const body = createBodyBuffer(() => lengthOf(response), cap);
  let received = 0;
  const result = (more: Omit<ReadBody, "content" | "cut" | "received"> = {}): ReadBody => {
    const cut = received > body.length;
    return { content: body.take(), cut, received, ...more };
  };
  const reader = response.body?.getReader();
  if (reader === undefined) return result();
  // Not awaited: a cancellation may wait for the server, and its failure changes nothing.
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
    if (body.length < cap) {
      const part = chunk.subarray(0, cap - body.length);
      // A copy where a part would keep the whole of its buffer.
      body.push(part.byteLength === chunk.byteLength ? part : part.slice());
    }
    const isOver = received > cap && arrival?.keepBytes === undefined;
    try {
      const shown = isOver ? chunk.subarray(0, cap - (received - chunk.byteLength)) : chunk;
      const waiting = arrival?.chunk(shown);
      // Others look after themselves, and after what they have opened.
      const mayWaitForever = arrival?.mayStop === true && signal !== undefined;
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

/**
 * Reads a body that nobody wants to its end, if that is not far: a redirect's, a refusal's beside its
 * challenge. Its connection is free for the next request then, and is kept as long as it is not. It
 * never rejects.
 */
export async function drainBody(response: Response): Promise<void> {
  try {
    await readBody(response, 65_536);
  } catch {
    // Somebody reads it already.
  }
}
