import type { Arrival } from "./arrival/hooks.ts";

/** A body as far as it was read. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  /** True where the body was longer than the cap. */
  readonly cut: boolean;
  /** What broke the body off, where something did. */
  readonly failure?: { readonly cause: unknown };
  /** True where the one who watches has had enough. */
  readonly stopped?: true;
  /** How many bytes came, where they were watched: more than `bytes` has if those were not kept. */
  readonly received?: number;
}

const EMPTY: ReadBody = { bytes: new Uint8Array(0), cut: false };

/**
 * Reads a response body up to a cap. Beyond it nothing more is downloaded. A connection that
 * breaks off is told in `failure`, with the bytes that came before.
 *
 * @param response The response, not read yet.
 * @param maxBytes The cap in bytes, after decompression.
 */
export async function readBody(response: Response, maxBytes: number): Promise<ReadBody> {
  if (response.body === null) return EMPTY;
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      chunks.push(step.value);
      length += step.value.byteLength;
      if (length > maxBytes) {
        // Not awaited: a cancellation may wait for the server, and its failure changes nothing.
        reader.cancel().catch(() => undefined);
        return { bytes: join(chunks, maxBytes), cut: true };
      }
    }
  } catch (cause) {
    return { bytes: join(chunks, length), cut: false, failure: { cause } };
  }
  return length === 0 ? EMPTY : { bytes: join(chunks, length), cut: false };
}

/**
 * Reads a body as {@link readBody} does and hands out its pieces as they come. Bytes beyond
 * `keepBytes` are handed out and not kept; without it the cap holds.
 *
 * @throws What the one who watches throws; nothing more is downloaded then.
 */
export async function watchBody(
  response: Response,
  maxBytes: number,
  arrival: Arrival,
): Promise<ReadBody> {
  const cap = arrival.keepBytes ?? maxBytes;
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let received = 0;
  const result = (more: Omit<ReadBody, "bytes" | "cut" | "received"> = {}): ReadBody => {
    return { bytes: join(chunks, kept), cut: received > kept, received, ...more };
  };
  const reader = response.body?.getReader();
  if (reader === undefined) return result();
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
    if (kept < cap) {
      const part = chunk.subarray(0, cap - kept);
      // A copy where a part would keep the whole of its buffer.
      chunks.push(part.byteLength === chunk.byteLength ? part : part.slice());
      kept += part.byteLength;
    }
    const isOver = received > cap && arrival.keepBytes === undefined;
    try {
      const waiting = arrival.chunk(
        isOver ? chunk.subarray(0, cap - (received - chunk.byteLength)) : chunk,
      );
      if ((waiting instanceof Promise ? await waiting : waiting) === false) {
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

/** What a redirect says beside its Location is not kept, but reading it keeps the connection. */
export async function drainBody(response: Response): Promise<void> {
  await readBody(response, 65_536);
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only && chunks.length === 1 && only.byteLength === length && ownsItsBuffer(only)) return only;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - offset), offset);
    offset += chunk.byteLength;
    if (offset >= length) break;
  }
  return bytes;
}

/** A view of a larger buffer would keep all of that buffer alive in the history. */
function ownsItsBuffer(chunk: Uint8Array): boolean {
  return chunk.byteLength === chunk.buffer.byteLength;
}
