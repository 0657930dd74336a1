import type { Content } from "../../exchange/mod.ts";
import { createJsonHead, type JsonHead } from "./json-head.ts";

/** The heads of bodies, kept as long as the bodies. */
const HEADS = new WeakMap<Content, JsonHead>();

/**
 * Reads the head of a JSON text in UTF-8. A long body is read only once, however often it is displayed:
 * in progress, in a notebook, again when that has to be shortened, at a terminal.
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

/** Keeps the head that was read while the body arrived. */
export function keepJsonHead(content: Content, head: JsonHead): void {
  head.end();
  // A body that was cut contains less than what was read.
  if (head.length === content.length) HEADS.set(content, head);
}
