import type { Transform } from "node:stream";
import type { InflateRaw } from "node:zlib";

const NOTHING: Buffer = Buffer.alloc(0);

/** The length of the trailer: CRC-32 and the number of bytes, modulo 2^32. */
const TRAILER = 8;

/** A header of more bytes is none: its extra field has 64 kB at most. */
const MAX_HEADER = 131_072;

/** Flags of the header, in the order of the fields that they announce. */
const [HAS_CRC, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];

/**
 * Decompresses gzip (RFC 1952), also of several members, which the streams of the runtimes do not: data that end early
 * are an error after what has arrived, and what is wrong behind complete data is a remark.
 *
 * @param onRemark Called with what is wrong behind the data, which are complete.
 * @throws {Error} By an event of the stream: the bytes are not gzip, are damaged, or end early.
 */
export function createGunzip(onRemark: (text: string) => void): Transform {
  const { Transform } = process.getBuiltinModule("node:stream");
  const { crc32 } = process.getBuiltinModule("node:zlib");
  /** What has arrived and was not read yet. */
  let rest = NOTHING;
  let members = 0;
  let member: InflateRaw | undefined;
  let isWhole = false;
  let crc = 0;
  let length = 0;
  let isOver = false;

  const output = (bytes: Buffer): void => {
    crc = crc32(bytes, crc);
    length = (length + bytes.length) % 2 ** 32;
    stream.push(bytes);
  };

  /**
   * Reads headers and trailers.
   *
   * @returns Whether data follow.
   * @throws {Error} They are not those of gzip, or do not belong to the data.
   */
  function readFrames(): boolean {
    while (rest.length > 0 && !isOver) {
      if (member !== undefined && !isWhole) return true;
      if (!(isWhole ? readTrailer() : readHeader())) return false;
    }
    return false;
  }

  /** Whether it has arrived. */
  function readTrailer(): boolean {
    if (rest.length < TRAILER) return false;
    if (rest.readUInt32LE(0) !== crc || rest.readUInt32LE(4) !== length) {
      throw new Error("incorrect data check");
    }
    rest = rest.subarray(TRAILER);
    [member, isWhole] = [undefined, false];
    return true;
  }

  /** Whether it has arrived, and the bytes are one. */
  function readHeader(): boolean {
    const start = startOfData(rest);
    if (start === undefined && rest.length <= MAX_HEADER) return false;
    if (!start) {
      if (members === 0) throw new Error("incorrect header check");
      endWith(rest);
      return false;
    }
    rest = rest.subarray(start);
    member = createMember(output);
    [members, crc, length] = [members + 1, 0, 0];
    return true;
  }

  function read(done: (error?: Error) => void): void {
    let hasData = false;
    try {
      hasData = readFrames();
    } catch (error) {
      done(error as Error);
      return;
    }
    if (!hasData || member === undefined) {
      done();
      return;
    }
    writeTo(member, rest, (left, error) => {
      isWhole = left !== undefined;
      rest = left ?? NOTHING;
      if (error === undefined) read(done);
      else done(error);
    });
  }

  function endWith(bytes: Buffer): void {
    isOver = true;
    remarkRest(bytes, onRemark);
  }

  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      read(done);
    },
    flush(done) {
      const lacksTrailer = (): void => {
        onRemark("The compressed data end without their checksum");
        done();
      };
      if (isOver || (members === 0 && rest.length === 0)) return done();
      if (member === undefined) {
        const isBegun = rest.length > 0 && startOfData(rest) === undefined;
        if (isBegun) return done(new Error("unexpected end of file"));
        endWith(rest);
        return done();
      }
      if (isWhole) return lacksTrailer();
      // Only its end tells whether it is complete.
      member.once("end", lacksTrailer).once("error", done).end();
    },
    destroy(error, done) {
      member?.destroy();
      done(error);
    },
  });
  return stream;
}

/** Remarks bytes behind complete data, unless they are zeros, which are usual there. */
export function remarkRest(bytes: Buffer, onRemark: (text: string) => void): void {
  if (bytes.some((byte) => byte !== 0)) onRemark("Bytes behind the compressed data are ignored");
}

function createMember(output: (bytes: Buffer) => void): InflateRaw {
  const { constants, createInflateRaw } = process.getBuiltinModule("node:zlib");
  return withOutput(createInflateRaw({ flush: constants.Z_SYNC_FLUSH }), output);
}

/** Reads the output of a stream that decompresses; its errors go to those who {@link writeTo} it. */
export function withOutput<T extends Transform>(inner: T, output: (bytes: Buffer) => void): T {
  return inner.on("data", output).on("error", () => undefined);
}

/**
 * Writes bytes to a stream that decompresses, whose output is read.
 *
 * @param done Called with what it has left over if its data have ended, or with its error.
 */
export function writeTo(
  inner: Transform & { readonly bytesWritten: number },
  bytes: Buffer,
  done: (left: Buffer | undefined, error?: Error) => void,
): void {
  const before = inner.bytesWritten;
  let isDone = false;
  const settle = (left: Buffer | undefined, error?: Error): void => {
    if (isDone) return;
    isDone = true;
    inner.off("end", onEnd).off("error", onError);
    done(left, error);
  };
  // It does not call back if bytes are left over.
  const onEnd = (): void => settle(bytes.subarray(inner.bytesWritten - before));
  const onError = (error: Error): void => settle(undefined, error);
  inner.once("end", onEnd).once("error", onError);
  inner.write(bytes, (error) => settle(undefined, error ?? undefined));
}

/** Where the data behind a header begin; 0 if it is none, `undefined` if it has not arrived whole. */
function startOfData(bytes: Buffer): number | undefined {
  const isOther = [0x1f, 0x8b, 8].some((byte, at) => at < bytes.length && bytes[at] !== byte);
  if (isOther) return 0;
  if (bytes.length < 10) return undefined;
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & HAS_EXTRA) {
    if (bytes.length < at + 2) return undefined;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if (flags & HAS_CRC) at += 2;
  return at <= bytes.length ? at : undefined;
}
