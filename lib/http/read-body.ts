import { type Content, createContent, type DiscardedBody, join } from "../exchange/mod.ts";
import type { BodyObserver } from "./receive-body.ts";

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
  observer?: Pick<BodyObserver, "keepBytes" | "mayStop" | "chunk">,
  signal?: AbortSignal,
): Promise<ReadBody> {
  const limit = observer?.keepBytes ?? maxBytes;
  const body = new BodyBuffer(() => lengthOf(response), limit);
  let received = 0;
  const result = (more: Omit<ReadBody, "content" | "cut" | "received"> = {}): ReadBody => {
    signal?.removeEventListener("abort", cancel);
    const cut = received > body.length;
    return { content: body.take(), cut, received, ...more };
  };
  const reader = response.body?.getReader();
  // Not awaited: a cancellation may wait for the server.
  const cancel = (): void => void reader?.cancel().catch(() => undefined);
  if (reader === undefined) return result();
  // The body of a `fetch` of the person does not end by itself.
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  for (;;) {
    let step: Awaited<ReturnType<typeof reader.read>>;
    try {
      step = await reader.read();
    } catch (cause) {
      return result({ failure: { cause } });
    }
    if (step.done) return result(signal?.aborted ? { failure: { cause: signal.reason } } : {});
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

/** Bodies up to this size are copied once more at the end. */
const COPY_LIMIT = 1_000_000;
/** A large body of unknown length grows by this many bytes. */
const BLOCK = 4_194_304;

/**
 * Collects the chunks of a body. Those of a large body are copied to their final place at once, so that memory
 * never contains the body twice: to one buffer if its length is known, otherwise to blocks.
 */
export class BodyBuffer {
  /** Bytes so far. */
  length = 0;
  readonly #expect: () => number | undefined;
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  #used = 0;

  /**
   * @param expect Returns the length that the server announced, which may be wrong.
   * @param most The maximum number of bytes that will be pushed.
   */
  constructor(expect: () => number | undefined, most: number) {
    this.#expect = expect;
    this.#most = most;
  }

  push(chunk: Uint8Array): void {
    const isLarge = this.#chunks.length > 0 && this.length + chunk.byteLength > COPY_LIMIT;
    if (this.#block === undefined && isLarge) this.#block = this.#startBlock();
    if (this.#block === undefined) this.#chunks.push(chunk);
    else this.#block = this.#fill(this.#block, chunk);
    this.length += chunk.byteLength;
  }

  /** Returns all bytes and empties the buffer. */
  take(): Content {
    const block = this.#block;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#block = undefined;
    return createContent(
      block === undefined ? toOne(chunks, this.length) : [...chunks, exactly(block, this.#used)],
    );
  }

  /** Not before a large part has arrived: an announced length alone allocates nothing. */
  #startBlock(): Uint8Array {
    const expected = this.#expect() ?? 0;
    const isLikely = expected >= this.length && expected <= this.#most;
    const before = this.#chunks;
    this.#chunks = [];
    let block = (isLikely ? allocate(expected) : undefined) ?? new Uint8Array(BLOCK);
    for (const chunk of before) block = this.#fill(block, chunk);
    return block;
  }

  /** Returns the block for the next chunk. */
  #fill(block: Uint8Array, chunk: Uint8Array): Uint8Array {
    const room = block.byteLength - this.#used;
    block.set(chunk.subarray(0, room), this.#used);
    this.#used += Math.min(room, chunk.byteLength);
    if (chunk.byteLength <= room) return block;
    this.#chunks.push(block);
    this.#used = 0;
    return this.#fill(new Uint8Array(BLOCK), chunk.subarray(room));
  }
}

function allocate(length: number): Uint8Array | undefined {
  try {
    return new Uint8Array(length);
  } catch {
    // A RangeError for an announced length that is too large; the actual body may be smaller.
    return undefined;
  }
}

function toOne(chunks: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  const [only] = chunks;
  // In the history, a view would keep its whole buffer alive.
  const isOwn = only !== undefined && only.byteLength === only.buffer.byteLength;
  return chunks.length === 0 || (chunks.length === 1 && isOwn) ? chunks : [join(chunks, length)];
}

function exactly(block: Uint8Array, used: number): Uint8Array {
  return used < block.byteLength ? block.slice(0, used) : block;
}

/** The length of a body after decompression, if it is known: Content-Length counts compressed bytes. */
export function lengthOf({ headers }: Pick<Response, "headers">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) return undefined;
  return /^(?:identity)?$/i.test(headers.get("content-encoding") ?? "")
    ? Number(length)
    : undefined;
}
