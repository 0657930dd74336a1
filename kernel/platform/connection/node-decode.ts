import type { Readable, Transform } from "node:stream";
import type { ZlibOptions } from "node:zlib";

/** A server that names more wants to keep us busy. */
const MOST = 5;

/**
 * Takes the compression off a body. As with fetch, a coding that is not known leaves it as it is, and
 * a body that ends early is as long as it is (curl reads so as well).
 *
 * @param encoding The value of `Content-Encoding`.
 * @throws {Error} It names more than five codings.
 */
export function decode(body: Readable, encoding: string): Readable {
  const codings = encoding.toLowerCase().split(",");
  if (codings.length > MOST) {
    throw new Error(`too many codings in Content-Encoding: ${codings.length}, at most ${MOST}`);
  }
  // The last one was put on last.
  const decoders = codings.map((coding) => createDecoder(coding.trim())).reverse();
  if (decoders.includes(undefined)) return body;
  const { pipeline } = process.getBuiltinModule("node:stream");
  // Whoever reads hears of a failure by the last of them.
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

/** "deflate" is zlib's format (RFC 9110, 8.4.1.2); some servers send it bare, as the first byte tells. */
function createInflater(options: ZlibOptions): Transform {
  const { Transform } = process.getBuiltinModule("node:stream");
  const { createInflate, createInflateRaw } = process.getBuiltinModule("node:zlib");
  let inner: Transform | undefined;
  return new Transform({
    transform(piece: Buffer, encoding, done) {
      if (inner === undefined && piece.length > 0) {
        const isWrapped = ((piece[0] ?? 0) & 0x0f) === 8;
        inner = isWrapped ? createInflate(options) : createInflateRaw(options);
        inner.on("data", (bytes) => this.push(bytes));
        inner.on("error", (error) => this.destroy(error));
      }
      if (inner === undefined) done();
      else inner.write(piece, encoding, done);
    },
    flush(done) {
      if (inner === undefined) return done();
      // It has ended already where something stands behind what it takes.
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
