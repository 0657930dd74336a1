import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";

/** A file whose bytes are read when they are needed. */
export interface OpenedFile {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** Opens a file to be streamed; every stream reads it from its beginning. */
export async function openFile(path: string): Promise<OpenedFile> {
  const { size } = await stat(path);
  // Opened and closed for its error, which comes now and not in the middle of a request.
  await (await open(path)).close();
  return {
    size,
    stream: () => Readable.toWeb(createStream(path)) as unknown as ReadableStream<Uint8Array>,
  };
}

function createStream(path: string): Readable {
  return Readable.from(chunks(path), { objectMode: false });
}

async function* chunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(65_536), 0, 65_536, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
