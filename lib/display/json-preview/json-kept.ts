import type { Content } from "../../exchange/mod.ts";
import { createJsonHead, type JsonHead } from "./json-head.ts";

/** The heads of bodies, as long as the bodies themselves are kept. */
const HEADS = new WeakMap<Content, JsonHead>();

/**
 * The head of a JSON text in UTF-8. A long body is walked over once, whoever looks at it and however
 * often: on its way, for a notebook, again where that had to be shortened, for a terminal.
 */
export function jsonHeadOf(content: Content): JsonHead {
  const known = HEADS.get(content);
  if (known !== undefined) return known;
  const head = createJsonHead();
  for (const piece of content.pieces) head.feed(piece);
  head.end();
  HEADS.set(content, head);
  return head;
}

/** Keeps the head that was read of this very body while they came. */
export function keepJsonHead(content: Content, head: JsonHead): void {
  head.end();
  // A body that was cut is not all that has come by.
  if (head.length === content.length) HEADS.set(content, head);
}
