import type { FileHandle } from "node:fs/promises";
import { openRegularFile } from "./read-file.ts";

/** A file whose bytes are read when they are needed. */
export interface OpenedFile {
  /** In bytes. */
  readonly size: number;
  /** Its bytes, from the beginning each time. */
  stream(): ReadableStream<Uint8Array>;
}

const CHUNK = 65_536;

/** Opens a file to be streamed; every stream reads it from its beginning. */
export async function openFile(path: string): Promise<OpenedFile> {
  // Opened and closed for its error, which comes now and not in the middle of a request.
  const { file, size } = await openRegularFile(path);
  await file.close();
  return {
    size,
    stream: () => streamFile(path),
  };
}

function streamFile(path: string): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          file ??= (await openRegularFile(path)).file;
          const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK), 0, CHUNK, null);
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        } catch (error) {
          await close();
          throw error;
        }
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  );
}
