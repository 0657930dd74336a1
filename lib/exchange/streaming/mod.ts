/**
 * Splits a stream of bytes into items: server-sent events, JSON Lines, chunks of text. It does not depend
 * on requests.
 */

export { type Channel, createChannel, inTurn } from "./channel.ts";
export { createEnds, type Ends } from "./ends.ts";
export type {
  StreamBytes,
  StreamEvent,
  StreamItem,
  StreamItems,
  StreamKind,
  StreamLine,
  StreamText,
} from "./items.ts";
export { JSON_LINES, streamKind } from "./kind.ts";
export { createSplitter, type Splitter } from "./splitter.ts";
