import type { Readable, Transform } from "node:stream";
import { createGunzip, remarkRest, withOutput, writeTo } from "./gunzip.ts";

/** As in the fetch of Node, against servers that would keep the client busy. */
const MAX_CODINGS = 5;

/** A decompressor of `node:zlib`. */
type Decompressor = Transform & { readonly bytesWritten: number };

/**
 * Decompresses a body. As with fetch, an unknown coding leaves the body unchanged. A body that ends early is an error
 * after what has arrived; bytes behind complete data are ignored, and remarked.
 *
 * @param encoding The value of `Content-Encoding`.
 * @param onRemark Called with what is wrong with a body that is complete.
 * @throws {Error} There are more than five codings.
 */
export function decompress(
  body: Readable,
  encoding: string,
  onRemark: (text: string) => void,
): Readable {
  const codings = encoding.toLowerCase().split(",");
  if (codings.length > MAX_CODINGS) {
    throw new Error(
      `too many codings in Content-Encoding: ${codings.length}, at most ${MAX_CODINGS}`,
    );
  }
  // The last coding was applied last.
  const decoders = codings.map((coding) => createDecoder(coding.trim(), onRemark)).reverse();
  if (decoders.includes(undefined)) return body;
  const { pipeline } = process.getBuiltinModule("node:stream");
  // A failure reaches the reader through the last stream.
  return pipeline([body, ...(decoders as Transform[])], () => undefined) as unknown as Readable;
}

function createDecoder(coding: string, onRemark: (text: string) => void): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(onRemark);
    case "deflate":
      // The zlib format (RFC 9110, 8.4.1.2); some servers send raw deflate data.
      return createChecked((first) => {
        const create = (first & 0x0f) === 8 ? zlib.createInflate : zlib.createInflateRaw;
        return create({ flush: Z_SYNC_FLUSH });
      }, onRemark);
    case "br":
      return createChecked(
        () => zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH }),
        onRemark,
      );
    default:
      return undefined;
  }
}

/**
 * Decompresses data that know their end.
 *
 * @param open Called with the first byte.
 */
function createChecked(
  open: (first: number) => Decompressor,
  onRemark: (text: string) => void,
): Transform {
  const { Transform } = process.getBuiltinModule("node:stream");
  let inner: Decompressor | undefined;
  let hasEnded = false;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (piece.length === 0) return done();
      if (hasEnded) {
        remarkRest(piece, onRemark);
        return done();
      }
      inner ??= withOutput(open(piece[0] ?? 0), (bytes) => this.push(bytes));
      writeTo(inner, piece, (rest, error) => {
        hasEnded = rest !== undefined;
        if (rest !== undefined) remarkRest(rest, onRemark);
        done(error);
      });
    },
    flush(done) {
      if (inner === undefined || hasEnded) return done();
      // Only data that have not ended take another byte. Deno does not say so of Brotli.
      inner.removeAllListeners("data").resume();
      writeTo(inner, Buffer.alloc(1), (rest) =>
        done(rest?.length === 1 ? null : new Error("unexpected end of file")),
      );
    },
    destroy(error, done) {
      inner?.destroy();
      done(error);
    },
  });
}
