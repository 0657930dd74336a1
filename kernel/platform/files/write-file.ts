import { openFileForWriting } from "./open-file-for-writing.ts";

/** Replaces a file in one step: after a crash the old file or the new one is there. */
export async function writeFile(path: string, text: string): Promise<void> {
  const file = await openFileForWriting(path, { replace: true });
  try {
    await file.write(new TextEncoder().encode(text));
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
