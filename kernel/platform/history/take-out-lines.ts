import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const NEWLINE = 0x0a;
const BLANK = 0x20;

/**
 * Takes lines out of a file. Blanks stand in their place, so that nothing moves: other sessions may add
 * lines meanwhile, and the bytes are gone from the disk as well.
 *
 * @param path A file that is there.
 * @param isOut Whether a line goes.
 */
export function takeOutLines(path: string, isOut: (line: string) => boolean): void {
  const file = openSync(path, "r+");
  try {
    const bytes = readFileSync(file);
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      if (isOut(bytes.toString("utf8", start, end))) {
        writeSync(file, Buffer.alloc(end - start, BLANK), 0, end - start, start);
      }
      start = end + 1;
    }
  } finally {
    closeSync(file);
  }
}
