import { createJsonHead, type JsonHead } from "./json-head.ts";

/** The heads of bodies, as long as the bodies themselves are kept. */
const HEADS = new WeakMap<Uint8Array, JsonHead>();

/**
 * The head of a JSON text in UTF-8. A long body is walked over once, whoever looks at it and however
 * often: on its way, for a notebook, again where that had to be shortened, for a terminal.
 */
export function jsonHeadOf(bytes: Uint8Array): JsonHead {
  const known = HEADS.get(bytes);
  if (known !== undefined) return known;
  const head = createJsonHead();
  head.feed(bytes);
  head.end();
  HEADS.set(bytes, head);
  return head;
}

/** Keeps the head that was read of these very bytes while they came. */
export function keepJsonHead(bytes: Uint8Array, head: JsonHead): void {
  head.end();
  // A body that was cut is not all that has come by.
  if (head.length === bytes.length) HEADS.set(bytes, head);
}
