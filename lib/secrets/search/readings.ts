import { readBase64 } from "./base64.ts";
import { unescapeText } from "./escapes.ts";
import { asWritten, type Reading, readFurther } from "./reading.ts";

/** How often base64 inside base64 is decoded. */
const DEEPEST_BASE64 = 2;

/**
 * The readings of a text: as it is written, with its escapes undone, and the contents of its base64,
 * read in the same ways. Forms that can be decoded need no pattern.
 */
export function* readingsOf(text: string, depth: number = DEEPEST_BASE64): Generator<Reading> {
  const written = asWritten(text);
  yield written;
  const unescaped = unescapeText(text);
  if (unescaped !== undefined) yield unescaped;
  if (depth === 0) return;
  const plain = unescaped ?? written;
  const unpacked = readBase64(plain.text);
  if (unpacked === undefined) return;
  const outer = readFurther(plain, unpacked);
  for (const inner of readingsOf(outer.text, depth - 1)) yield readFurther(outer, inner);
}
