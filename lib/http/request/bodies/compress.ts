import { isStreamed, type StreamedBody } from "./pieces.ts";

/** The content codings that every runtime can write. */
export type Compression = "gzip" | "deflate";

/** Whether a word is a content coding that every runtime can write. */
export function isCompression(word: unknown): word is Compression {
  return word === "gzip" || word === "deflate";
}

/** Compresses a body; a streamed body while it is sent. */
export async function compressBody(
  body: string | Uint8Array | StreamedBody,
  compression: Compression,
): Promise<Uint8Array | StreamedBody> {
  if (isStreamed(body)) {
    return {
      kind: "streamed",
      size: undefined,
      stream: () => compressed(body.stream()),
      get failure() {
        return body.failure;
      },
    };
  }
  const source = new Response(body as BodyInit).body;
  if (source === null) return new Uint8Array(0);
  return new Uint8Array(await new Response(compressed(source)).arrayBuffer());

  function compressed(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
    // The types of the runtimes disagree about the buffers of a stream.
    return (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      new CompressionStream(compression),
    );
  }
}
