import type { StreamItem, StreamItems, StreamKind } from "./items.ts";
import { splitEvents } from "./split-events.ts";
import { splitLines } from "./split-lines.ts";
import type { ParseJson, TextSplitter } from "./text-splitter.ts";

/** Takes pieces of a body and gives what has become whole. */
export interface Splitter<T> {
  push(bytes: Uint8Array): readonly T[];
  /** What is left when the body has ended. */
  end(): readonly T[];
  /** How many items were cut to `longest`. */
  readonly cut: number;
}

/** How a splitter is made. */
export interface SplitterOptions {
  /** The charset of text other than event streams, which are UTF-8 always. */
  readonly charset?: string | undefined;
  readonly parseJson?: ParseJson;
  /** Events and lines are cut after so many characters; unless told, far longer ones are an error. */
  readonly longest?: number;
}

type TextKind = Exclude<StreamKind, "bytes">;

const TEXT_SPLITTERS: {
  readonly [K in TextKind]: (
    parseJson: ParseJson,
    longest: number | undefined,
  ) => TextSplitter<StreamItems[K]>;
} = { events: splitEvents, lines: splitLines, text: splitText };

/**
 * Creates what takes a body apart while it comes. Characters and lines may be cut anywhere between
 * the pieces.
 *
 * @param kind What to make of it.
 * @param options The charset; how JSON is read.
 */
export function createSplitter(
  kind: StreamKind,
  { charset, parseJson = JSON.parse, longest }: SplitterOptions = {},
): Splitter<StreamItem> {
  if (kind === "bytes") {
    return { push: (bytes) => [{ kind: "bytes", bytes }], end: () => [], cut: 0 };
  }
  const decoder = decoderFor(kind === "text" ? charset : undefined);
  const splitter: TextSplitter<StreamItem> = TEXT_SPLITTERS[kind](parseJson, longest);
  return {
    push: (bytes) => splitter.push(decoder.decode(bytes, { stream: true })),
    end: () => [...splitter.push(decoder.decode()), ...splitter.end()],
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

function decoderFor(charset = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // A charset that this runtime does not know: the whole answer says so in a warning.
    return new TextDecoder();
  }
}
