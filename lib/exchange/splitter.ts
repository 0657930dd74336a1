import { createChunkDecoder, type MediaType, parseMediaType } from "./charset.ts";
import { splitEvents } from "./events.ts";
import type { Untyped } from "./exchange.ts";

/** Splits the chunks of a body into items. */
export interface Splitter<T> {
  /** Returns the items that a chunk completes. */
  push(bytes: Uint8Array): readonly T[];
  /** Returns the remaining items when the body has ended. */
  end(): readonly T[];
  /** The number of items cut to `longest`. */
  readonly cut: number;
  /** The first lines of an event stream that belong to no event. */
  readonly ignored: readonly string[];
}

/** Options of {@link createSplitter}. */
interface SplitterOptions {
  /** What the charset of text follows from; event streams and JSON are UTF-8. */
  readonly type?: MediaType;
  readonly parseJson?: ParseJson;
  /** Cuts events and lines after this number of characters; by default, far longer ones are an error. */
  readonly longest?: number;
}

type TextKind = Exclude<StreamKind, "bytes">;

/** The maximum number of characters of a line. */
const LONGEST_LINE = 64 * 1024 * 1024;

const RECORD_SEPARATOR = "\u001e";

const TEXT_SPLITTERS: {
  readonly [K in TextKind]: (
    parseJson: ParseJson,
    longest: number | undefined,
  ) => TextSplitter<StreamItems[K]>;
} = { events: splitEvents, lines: splitLines, text: splitText };

/**
 * Creates a splitter of a body. Characters and lines may span chunks.
 *
 * @param kind The kind of items.
 * @param options The media type; how JSON is parsed.
 */
export function createSplitter(
  kind: StreamKind,
  { type = parseMediaType(null), parseJson = JSON.parse, longest }: SplitterOptions = {},
): Splitter<StreamItem> {
  if (kind === "bytes") {
    return { push: (bytes) => [{ kind: "bytes", bytes }], end: () => [], cut: 0, ignored: [] };
  }
  // Events are UTF-8, whatever the headers say (HTML Standard, 9.2.5).
  let decoder = kind === "events" ? new TextDecoder() : undefined;
  const splitter: TextSplitter<StreamItem> = TEXT_SPLITTERS[kind](parseJson, longest);
  return {
    push(bytes) {
      decoder ??= createChunkDecoder(bytes, type);
      return splitter.push(decoder.decode(bytes, { stream: true }));
    },
    end: () => [...splitter.push(decoder?.decode() ?? ""), ...splitter.end()],
    ignored: splitter.ignored ?? [],
    get cut() {
      return splitter.cut ?? 0;
    },
  };
}

function splitText(): TextSplitter<StreamItems["text"]> {
  return {
    push: (text) => (text === "" ? [] : [{ kind: "text", text }]),
    end: () => [],
  };
}

/** Parses JSON, as `JSON.parse` does. */
export type ParseJson = (text: string) => unknown;

/** Splits chunks of text into items. */
export interface TextSplitter<T> {
  /** Returns the items that a chunk completes. */
  push(text: string): readonly T[];
  /** Returns the remaining items when the text has ended. */
  end(): readonly T[];
  /** The number of items that were cut because they were too long. */
  readonly cut?: number;
  /** The first lines that belong to no item. */
  readonly ignored?: readonly string[];
}

/** A server-sent event (`text/event-stream`, HTML Standard 9.2). */
export interface StreamEvent<Data = Untyped> {
  /** The kind of item. */
  readonly kind: "event";
  /** The name; `message` if the server sends none. */
  readonly event: string;
  /** The data, lines joined by line feeds. */
  readonly data: string;
  /** The last id that the server sent. */
  readonly id?: string | undefined;
  /** The milliseconds to wait before a new connection, if the server has said so in this event or before it. */
  readonly retry?: number | undefined;
  /**
   * The data as JSON, parsed when it is read.
   *
   * @throws {SyntaxError} It is not JSON.
   */
  readonly json: Data;
}

/** A line of JSON Lines (`application/x-ndjson` and the like). */
export interface StreamLine<Data = Untyped> {
  /** The kind of item. */
  readonly kind: "line";
  /** The line without its line break. */
  readonly text: string;
  /**
   * The line as JSON, parsed when it is read.
   *
   * @throws {SyntaxError} It is not JSON.
   */
  readonly json: Data;
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

/**
 * The items of each kind of stream.
 *
 * @typeParam Data What the `json` of events and lines is.
 */
export interface StreamItems<Data = Untyped> {
  /** The events of an event stream. */
  readonly events: StreamEvent<Data>;
  /** The lines of JSON Lines. */
  readonly lines: StreamLine<Data>;
  /** Chunks of text. */
  readonly text: StreamText;
  /** Chunks of anything else. */
  readonly bytes: StreamBytes;
}

/** How a body is split while it arrives. */
export type StreamKind = keyof StreamItems;

/** An item of a stream of any kind. */
export type StreamItem = StreamItems[StreamKind];

/** The media types of JSON Lines and of JSON text sequences (RFC 7464). */
export const JSON_LINES: RegExp =
  /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonl|x-jsonlines|jsonlines|json-seq|stream\+json|x-json-stream)$/;

const KINDS: readonly (readonly [RegExp, StreamKind])[] = [
  [/^text\/event-stream$/, "events"],
  [JSON_LINES, "lines"],
  [/^text\/|[/+](?:json|xml)$|^application\/(?:javascript|yaml|x-yaml)$/, "text"],
];

/**
 * Chooses how to split a body while it arrives.
 *
 * @param mediaType `type/subtype` in lower case, without parameters.
 */
export function streamKind(mediaType: string): StreamKind {
  return KINDS.find(([pattern]) => pattern.test(mediaType))?.[1] ?? "bytes";
}

/**
 * Splits JSON Lines and JSON text sequences (RFC 7464); blank lines are dropped.
 *
 * @param longest Cuts lines after this number of characters; by default, far longer ones are an error.
 */
function splitLines(parseJson: ParseJson, longest: number | undefined): TextSplitter<StreamLine> {
  const most = longest ?? LONGEST_LINE;
  // A list of chunks: appending to a long string would copy it for each of them.
  let pieces: string[] = [];
  let length = 0;
  let cut = 0;
  const add = (text: string): void => {
    if (length < most) pieces.push(text.slice(0, most - length));
    if (length <= most && length + text.length > most) {
      if (longest === undefined) {
        throw new RangeError(`Cannot read JSON Lines: a line exceeds ${most} characters`);
      }
      cut += 1;
    }
    length += text.length;
  };
  const take = (lines: StreamLine[]): void => {
    const line = pieces.join("").replace(/\r$/, "");
    pieces = [];
    length = 0;
    const text = line.startsWith(RECORD_SEPARATOR) ? line.slice(1) : line;
    if (text.trim() !== "") lines.push(createLine(text, parseJson));
  };
  return {
    push(text) {
      const lines: StreamLine[] = [];
      let from = 0;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
        add(text.slice(from, at));
        take(lines);
        from = at + 1;
      }
      if (from < text.length) add(text.slice(from));
      return lines;
    },
    get cut() {
      return cut;
    },
    end() {
      const lines: StreamLine[] = [];
      take(lines);
      return lines;
    },
  };
}

function createLine(text: string, parseJson: ParseJson): StreamLine {
  return {
    kind: "line",
    text,
    get json() {
      return parseJson(text);
    },
  };
}
