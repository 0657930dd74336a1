import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const NEWLINE = 0x0a;
const BLANK = 0x20;

/**
 * Removes lines from an existing file by overwriting them with blanks. Nothing moves, since other
 * sessions may append lines at the same time, and the bytes are gone from the disk.
 */
export function removeLines(path: string, isRemoved: (line: string) => boolean): void {
  const file = openSync(path, "r+");
  try {
    const bytes = readFileSync(file);
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      if (isRemoved(bytes.toString("utf8", start, end))) {
        writeSync(file, Buffer.alloc(end - start, BLANK), 0, end - start, start);
      }
      start = end + 1;
    }
  } finally {
    closeSync(file);
  }
}
