import type { Readable, Transform } from "node:stream";
import type { ZlibOptions } from "node:zlib";

/** The body of an answer, which its request can fail. */
export interface ResponseBody {
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
  const source: Readable = encoding === undefined ? message : decode(message, encoding);
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

/** As in the fetch of Node, against servers that would keep the client busy. */
const MAX_CODINGS = 5;

/**
 * Decompresses a body. As with fetch, an unknown coding leaves the body unchanged, and a body that ends
 * early is not an error.
 *
 * @param encoding The value of `Content-Encoding`.
 * @throws {Error} There are more than five codings.
 */
function decode(body: Readable, encoding: string): Readable {
  const codings = encoding.toLowerCase().split(",");
  if (codings.length > MAX_CODINGS) {
    throw new Error(
      `too many codings in Content-Encoding: ${codings.length}, at most ${MAX_CODINGS}`,
    );
  }
  // The last coding was applied last.
  const decoders = codings.map((coding) => createDecoder(coding.trim())).reverse();
  if (decoders.includes(undefined)) return body;
  const { pipeline } = process.getBuiltinModule("node:stream");
  // A failure reaches the reader through the last stream.
  return pipeline([body, ...(decoders as Transform[])], () => undefined) as unknown as Readable;
}

function createDecoder(coding: string): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const options = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip(options);
    case "deflate":
      return createInflater(options);
    case "br":
      return zlib.createBrotliDecompress({
        flush: BROTLI_OPERATION_FLUSH,
        finishFlush: BROTLI_OPERATION_FLUSH,
      });
    default:
      return undefined;
  }
}

/** "deflate" is the zlib format (RFC 9110, 8.4.1.2); some servers send raw deflate data. */
function createInflater(options: ZlibOptions): Transform {
  const { Transform } = process.getBuiltinModule("node:stream");
  const { createInflate, createInflateRaw } = process.getBuiltinModule("node:zlib");
  let inner: Transform | undefined;
  return new Transform({
    transform(piece: Buffer, encoding, done) {
      if (inner === undefined && piece.length > 0) {
        const isZlib = ((piece[0] ?? 0) & 0x0f) === 8;
        inner = isZlib ? createInflate(options) : createInflateRaw(options);
        inner.on("data", (bytes) => this.push(bytes));
        inner.on("error", (error) => this.destroy(error));
      }
      if (inner === undefined) done();
      else inner.write(piece, encoding, done);
    },
    flush(done) {
      if (inner === undefined) return done();
      // It has ended already if there is data after the compressed data.
      if (inner.readableEnded) return done();
      inner.once("end", () => done());
      inner.end();
    },
    destroy(error, done) {
      inner?.destroy();
      done(error);
    },
  });
}
