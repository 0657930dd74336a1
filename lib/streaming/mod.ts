/**
 * Bodies that are taken apart while they come: event streams, JSON Lines, text. Pieces of bytes go
 * in, whole events and lines come out; a channel hands them on without a buffer, and a memory of
 * both ends keeps an endless row bounded. It knows no client and no network and depends on nothing
 * but the parser of event streams.
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
export type { ParseJson } from "./text-splitter.ts";
