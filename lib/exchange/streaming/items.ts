/** An event of an event stream (`text/event-stream`). */
export interface StreamEvent {
  /** Tells it from what other streams give. */
  readonly kind: "event";
  /** Its name; `message` where the server gives none. */
  readonly event: string;
  /** Its data, lines joined by line feeds. */
  readonly data: string;
  /** The last id that the server gave. */
  readonly id?: string;
  /** The data as JSON, read when asked for; a `SyntaxError` is thrown where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  readonly json: any;
}

/** A line of JSON Lines (`application/x-ndjson` and kin). */
export interface StreamLine {
  /** Tells it from what other streams give. */
  readonly kind: "line";
  /** The line without its end. */
  readonly text: string;
  /** The line as JSON, read when asked for; a `SyntaxError` is thrown where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  readonly json: any;
}

/** A piece of text as it came. */
export interface StreamText {
  /** Tells it from what other streams give. */
  readonly kind: "text";
  /** The piece; no character is cut in two. */
  readonly text: string;
}

/** A piece of a body as it came. */
export interface StreamBytes {
  /** Tells it from what other streams give. */
  readonly kind: "bytes";
  /** The piece. */
  readonly bytes: Uint8Array;
}

/** What each kind of stream gives. */
export interface StreamItems {
  /** An event stream. */
  readonly events: StreamEvent;
  /** JSON Lines. */
  readonly lines: StreamLine;
  /** Text. */
  readonly text: StreamText;
  /** Anything else. */
  readonly bytes: StreamBytes;
}

/** How a body is taken apart while it comes. */
export type StreamKind = keyof StreamItems;

/** What a stream gives whose kind is told by its Content-Type. */
export type StreamItem = StreamItems[StreamKind];
