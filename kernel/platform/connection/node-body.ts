import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { decode } from "./node-decode.ts";

/** The body of an answer, and what its request has to tell it. */
export interface NodeBody {
  /** Its bytes, decompressed; no more is read than is asked for. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Notes that the connection has failed, which is nothing to a body that has come whole. */
  lose(cause: unknown): void;
  /** Breaks it off; what has come is still read. */
  fail(cause: unknown): void;
}

/**
 * Makes a stream of an answer. `Readable.toWeb` reads ahead, drops what has come before a failure, and
 * ends the process where a stream that nobody reads any more fails.
 */
export function createNodeBody(message: IncomingMessage): NodeBody {
  const encoding = message.headers["content-encoding"];
  /** The message, or what takes the compression off. */
  const source: Readable = encoding === undefined ? message : decode(message, encoding);
  let failure: { readonly cause: unknown } | undefined;
  let wake = (): void => undefined;

  function fail(cause: unknown): void {
    failure ??= { cause };
    message.destroy();
    wake();
  }

  /** Of a message that has come whole its stream says so a moment later only. */
  const isOver = (): boolean =>
    source.readableEnded || (source === message && message.complete && source.readableLength === 0);
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });

  source.on("readable", () => wake());
  source.on("end", () => wake());
  source.on("error", fail);
  // One that is destroyed without a reason tells nothing else.
  source.on("close", () => {
    if (!isOver()) fail(new Error("connection closed"));
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
        // A stream with listeners for "readable" does not flow.
        if (source === message && message.complete) message.removeAllListeners("readable").resume();
        else message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    fail,
    lose(cause) {
      if (!message.complete) fail(cause);
    },
  };
}

/** In memory of its own: a buffer may be part of one that others use, and its `slice` is a view. */
function bytesOf(piece: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = piece;
  return buffer.byteLength === byteLength
    ? new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
    : new Uint8Array(piece);
}
