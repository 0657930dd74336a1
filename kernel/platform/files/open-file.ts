import type { FileHandle } from "node:fs/promises";
import { openRegularFile } from "./read-file.ts";

/** A file that is read as a stream. */
export interface OpenedFile {
  /** The size in bytes. */
  readonly size: number;
  /** Creates a stream that begins at the beginning of the file. */
  stream(): ReadableStream<Uint8Array>;
}

const CHUNK = 65_536;

/** Opens a file for streaming. */
export async function openFile(path: string): Promise<OpenedFile> {
  // Opened here for its error, which would otherwise come in the middle of a request.
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
