import type { Readable, Transform } from "node:stream";
import type { ZlibOptions } from "node:zlib";

/** As in undici, against servers that would keep the client busy. */
const MAX_CODINGS = 5;

/**
 * Decompresses a body. As with fetch, an unknown coding leaves the body unchanged, and a body that ends
 * early is not an error.
 *
 * @param encoding The value of `Content-Encoding`.
 * @throws {Error} There are more than five codings.
 */
export function decode(body: Readable, encoding: string): Readable {
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
