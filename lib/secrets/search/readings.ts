import { readBase64 } from "./base64.ts";
import { unescapeText } from "./escapes.ts";
import { asWritten, type Reading, readFurther } from "./reading.ts";

/** So often is base64 of base64 looked into. */
const DEEPEST_BASE64 = 2;

/**
 * The ways to read a text: as it is written, with its escapes undone, and what its base64 says, read in
 * the same ways. Forms of a secret that can be undone are found here and need no pattern of their own.
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
