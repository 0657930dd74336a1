import type { AssertionLocation } from "../../../lib/mod.ts";
import { type Locate, mapStack, parseFrame } from "../output/mod.ts";

/** Finds the place of an error in a code; `undefined` if no frame is in it. */
export type PlaceOf = (error: Error) => AssertionLocation | undefined;

/**
 * Finds the places of errors in one code.
 *
 * @param name What its frames call it: `cell 3`, or the path of a file.
 * @param file The file that the places name, if it is one.
 */
export function createPlaces(locate: Locate, name: string, file: string | undefined): PlaceOf {
  return (error) => {
    mapStack(error, locate);
    for (const line of (error.stack ?? "").split("\n")) {
      const frame = parseFrame(line);
      if (!frame?.before.endsWith(name)) continue;
      const position = { line: frame.line, column: frame.column };
      return file === undefined ? position : { file, ...position };
    }
    return undefined;
  };
}
