import type { Readable } from "node:stream";
import { decompress } from "./decompress.ts";

/** The body of an answer, which its request can fail. */
export interface ResponseBody {
  /** What is wrong with a body that is complete, once it has arrived. */
  readonly remarks: ReadonlySet<string>;
  /** The decompressed bytes, without reading ahead. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Reports a failed connection; a complete body ignores it. */
  connectionFailed(cause: unknown): void;
  /** Fails the stream after the bytes that have arrived. */
  fail(cause: unknown): void;
}

/**
 * Creates a stream of an answer. `Readable.toWeb` reads ahead, drops the bytes before a failure, and ends
 * the process when a stream fails that nobody reads.
 *
 * @param encoding The value of `Content-Encoding`.
 * @param isComplete Whether all of the message has arrived.
 */
export function createResponseBody(
  message: Readable,
  encoding: string | undefined,
  isComplete: () => boolean,
): ResponseBody {
  const remarks = new Set<string>();
  const source: Readable =
    encoding === undefined
      ? message
      : decompress(message, encoding, (remark) => remarks.add(remark));
  let failure: { readonly cause: unknown } | undefined;
  let wake = (): void => undefined;

  function fail(cause: unknown): void {
    failure ??= { cause };
    message.destroy();
    wake();
  }

  /** A complete message ends its stream only a moment later. */
  const hasAll = (): boolean => source.readableEnded || (source === message && isComplete());
  const isOver = (): boolean => hasAll() && source.readableLength === 0;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });

  source.on("readable", () => wake());
  source.on("end", () => wake());
  source.on("error", fail);
  // A stream that is destroyed without a reason emits nothing else.
  source.on("close", () => {
    if (hasAll()) wake();
    else fail(new Error("connection closed"));
  });

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const piece: Buffer | null = source.read();
          if (piece !== null) return controller.enqueue(bytesOf(piece));
          if (failure !== undefined) throw failure.cause;
          if (isOver()) return controller.close();
          await next();
        }
      },
      cancel() {
        // A stream with a listener for "readable" does not flow.
        if (source === message && isComplete()) message.removeAllListeners("readable").resume();
        else message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    remarks,
    stream,
    fail,
    connectionFailed(cause) {
      if (!isComplete()) fail(cause);
    },
  };
}

/** A copy, unless the buffer has its memory alone: Node shares the memory of small buffers. */
function bytesOf(piece: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = piece;
  return buffer.byteLength === byteLength
    ? new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
    : new Uint8Array(piece);
}
