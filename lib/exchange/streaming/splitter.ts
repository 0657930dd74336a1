import type { StreamItem, StreamItems, StreamKind } from "./items.ts";
import { splitEvents } from "./split-events.ts";
import { splitLines } from "./split-lines.ts";
import type { ParseJson, TextSplitter } from "./text-splitter.ts";

/** Splits the chunks of a body into items. */
export interface Splitter<T> {
  /** Returns the items that a chunk completes. */
  push(bytes: Uint8Array): readonly T[];
  /** Returns the remaining items when the body has ended. */
  end(): readonly T[];
  /** The number of items cut to `longest`. */
  readonly cut: number;
}

/** Options of {@link createSplitter}. */
interface SplitterOptions {
  /** The charset of text; event streams and JSON are UTF-8. */
  readonly charset?: string | undefined;
  readonly parseJson?: ParseJson;
  /** Cuts events and lines after this number of characters; by default, far longer ones are an error. */
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
 * Creates a splitter of a body. Characters and lines may span chunks.
 *
 * @param kind The kind of items.
 * @param options The charset; how JSON is parsed.
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
    // This runtime does not know the charset; the exchange has a warning about it.
    return new TextDecoder();
  }
}
