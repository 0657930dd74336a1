/**
 * A stream of bytes to items: server-sent events, JSON Lines, lines, chunks. It knows no requests.
 */

export { type Channel, createChannel } from "./channel.ts";
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
export { streamKind } from "./kind.ts";
export { createSplitter, type Splitter } from "./splitter.ts";
