/** A server-sent event (`text/event-stream`, HTML Standard 9.2). */
export interface StreamEvent {
  /** The kind of item. */
  readonly kind: "event";
  /** The name; `message` if the server sends none. */
  readonly event: string;
  /** The data, lines joined by line feeds. */
  readonly data: string;
  /** The last id that the server sent. */
  readonly id?: string;
  /**
   * The data as JSON, parsed when it is read.
   *
   * @throws {SyntaxError} It is not JSON.
   */
  // biome-ignore lint/suspicious/noExplicitAny: exploring a response must not need casts
  readonly json: any;
}

/** A line of JSON Lines (`application/x-ndjson` and the like). */
export interface StreamLine {
  /** The kind of item. */
  readonly kind: "line";
  /** The line without its line break. */
  readonly text: string;
  /**
   * The line as JSON, parsed when it is read.
   *
   * @throws {SyntaxError} It is not JSON.
   */
  // biome-ignore lint/suspicious/noExplicitAny: exploring a response must not need casts
  readonly json: any;
}

/** A chunk of text as it arrived. */
export interface StreamText {
  /** The kind of item. */
  readonly kind: "text";
  /** The text; no character is split. */
  readonly text: string;
}

/** A chunk of a body as it arrived. */
export interface StreamBytes {
  /** The kind of item. */
  readonly kind: "bytes";
  /** The bytes. */
  readonly bytes: Uint8Array;
}

/** The items of each kind of stream. */
export interface StreamItems {
  /** The events of an event stream. */
  readonly events: StreamEvent;
  /** The lines of JSON Lines. */
  readonly lines: StreamLine;
  /** Chunks of text. */
  readonly text: StreamText;
  /** Chunks of anything else. */
  readonly bytes: StreamBytes;
}

/** How a body is split while it arrives. */
export type StreamKind = keyof StreamItems;

/** An item of a stream of any kind. */
export type StreamItem = StreamItems[StreamKind];
