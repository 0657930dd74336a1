/** Bytes that are read when they are needed, as often as they are: a `Blob`, an opened file. */
export interface BodySource {
  /** In bytes. */
  readonly size: number;
  /** Begins reading. */
  stream(): ReadableStream<Uint8Array>;
}

/** A stretch of a body. */
export type Piece = Uint8Array | BodySource;

/** A body that is not held in memory. */
export interface StreamedBody {
  /** What tells it from other bodies. */
  readonly kind: "streamed";
  /** In bytes; unknown for what is compressed on the way. */
  readonly size: number | undefined;
  /** Where all of it stands in one file, its path. */
  readonly path?: string;
  /** Begins reading, anew for each hop of a redirect. */
  stream(): ReadableStream<Uint8Array>;
  /** Why reading failed, if it did; asked for because the fetch of Deno loses the reason. */
  readonly failure?: Error | undefined;
}

/** Up to here a body is kept in memory, so that the exchange can show it. */
const SMALL = 1_048_576;

/** Whether a body is one that is streamed. */
export function isStreamed(body: unknown): body is StreamedBody {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "streamed";
}

/** Whether a value can be read as a source. */
export function isSource(value: unknown): value is BodySource {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<BodySource>).size === "number" &&
    typeof (value as Partial<BodySource>).stream === "function"
  );
}

/**
 * Makes one body of pieces: bytes where they are few, a stream where they are many.
 *
 * @param path Where all of it stands in one file, its path.
 */
export async function gatherPieces(
  pieces: readonly Piece[],
  path?: string,
): Promise<Uint8Array | StreamedBody> {
  const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
  let failure: Error | undefined;
  const stream = (): ReadableStream<Uint8Array> =>
    streamPieces(pieces, (error) => {
      failure = error;
    });
  if (size > SMALL && pieces.some(isSource)) {
    return {
      kind: "streamed",
      size,
      ...(path === undefined ? {} : { path }),
      stream,
      get failure() {
        return failure;
      },
    };
  }
  return new Uint8Array(await new Response(stream() as ReadableStream<BufferSource>).arrayBuffer());
}

function sizeOf(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.byteLength : piece.size;
}

/** A body could not be read to its end while it was sent. */
export class BodyError extends Error {
  override readonly name = "BodyError";
}

/**
 * One piece after the other, each opened when its turn comes.
 *
 * A source has to be as long as it was when the length of the body was told: what is longer would be
 * the server's next request, and for what is shorter it would wait.
 */
function streamPieces(
  pieces: readonly Piece[],
  onFailure: (error: Error) => void,
): ReadableStream<Uint8Array> {
  const fail = (message: string, cause?: unknown): never => {
    const error = new BodyError(message, { cause });
    onFailure(error);
    reader?.cancel().catch(() => undefined);
    throw error;
  };
  const rest = [...pieces];
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let size = 0;
  let read = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        if (reader === undefined) {
          const piece = rest.shift();
          if (piece === undefined) return controller.close();
          if (piece instanceof Uint8Array) {
            if (piece.byteLength === 0) continue;
            return controller.enqueue(piece);
          }
          ({ size } = piece);
          read = 0;
          reader = piece.stream().getReader();
        }
        const step = await reader
          .read()
          .catch((cause) => fail(cause instanceof Error ? cause.message : String(cause), cause));
        if (!step.done) {
          read += step.value.byteLength;
          if (read > size) fail(`it grew beyond its ${size} bytes while it was read`);
          return controller.enqueue(step.value);
        }
        if (read < size) fail(`it ended after ${read} of its ${size} bytes`);
        reader = undefined;
      }
    },
    async cancel(reason) {
      rest.length = 0;
      await reader?.cancel(reason);
    },
  });
}
