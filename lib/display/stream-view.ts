import {
  createEnds,
  createSplitter,
  type Ends,
  type StreamItem,
  streamKind,
} from "../exchange/mod.ts";
import { isRecord } from "../interpolation/mod.ts";
import { parseJson } from "../json/mod.ts";
import type { Block } from "./block.ts";
import { compactJson, cutText } from "./compact.ts";
import { arrangeEvents, type EventRow } from "./event-rows.ts";
import { viewJson } from "./json-view.ts";
import { createTextJoiner } from "./model-text.ts";
import type { Origin } from "./origin.ts";
import { type Body, viewText } from "./text-view.ts";
import { formatCount, groupDigits } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

/** The number of items shown from the beginning and from the end of a stream. */
const STREAM_ENDS = { first: 10, last: 20 } as const;

/** The number of bytes that are split at once. */
const CHUNK = 65_536;

/** The number of characters of an event or a line that are kept; a server may send one without an end. */
const LONGEST = 1_048_576;

/** An item of a stream and its number, from 1. */
interface NumberedItem {
  readonly item: StreamItem;
  readonly number: number;
}

/** Splits a stream while it arrives, and keeps the items at both ends. */
export interface RowReader {
  /** The name of an item. */
  readonly noun: string;
  readonly rows: Ends<NumberedItem>;
  /** The text that a language model sends in pieces, so far; empty if they are none. */
  readonly joined: string;
  /** The number of items that were too long and were cut. */
  readonly cut: number;
  /** The first lines that belong to no item. */
  readonly ignored: readonly string[];
  /** Returns the items that a chunk completes. */
  push(bytes: Uint8Array): readonly StreamItem[];
  /** Returns the items that the end of the body completes. */
  end(): readonly StreamItem[];
}

const NOUNS: Readonly<Record<string, string>> = { events: "event", lines: "line" };

/** Creates the reader of an event stream or of JSON Lines; `undefined` for other bodies. */
export function createRowReader(mediaType: string): RowReader | undefined {
  const kind = streamKind(mediaType);
  const noun = NOUNS[kind];
  if (noun === undefined) return undefined;
  const splitter = createSplitter(kind, { parseJson, longest: LONGEST });
  const rows = createEnds<NumberedItem>(STREAM_ENDS);
  const joiner = createTextJoiner();
  const keep = (items: readonly StreamItem[]): readonly StreamItem[] => {
    for (const item of items) {
      rows.push({ item, number: rows.count + 1 });
      joiner.push(item);
    }
    return items;
  };
  return {
    noun,
    rows,
    ignored: splitter.ignored,
    get joined() {
      return joiner.text;
    },
    get cut() {
      return splitter.cut;
    },
    push: (bytes) => keep(splitter.push(bytes)),
    end: () => keep(splitter.end()),
  };
}

/** Displays the first and the last events of an event stream as a table. */
export function viewEventStream(body: Body, context: ViewContext): readonly Block[] {
  const { content } = body;
  const reader = createRowReader(body.mediaType);
  if (reader === undefined) return [];
  for (const piece of content.pieces) {
    for (let at = 0; at < piece.length; at += CHUNK) reader.push(piece.subarray(at, at + CHUNK));
  }
  reader.end();
  return [...viewStreamEnds(reader, context), ...viewRest(body, reader, context)];
}

/** What of an event stream belongs to no event: lines between events, and one that has not ended. */
function viewRest(body: Body, { ignored }: RowReader, context: ViewContext): readonly Block[] {
  const { content, cut } = body;
  const end = content.pieces.at(-1)?.subarray(-CHUNK) ?? new Uint8Array();
  const [last = ""] = new TextDecoder()
    .decode(end)
    .split(/\r\n\r\n|\n\n|\r\r/)
    .slice(-1);
  const isOpen = /^(?:data|event|id)[^\n]*\S/m.test(last.trim());
  const shown = (text: string): readonly Block[] =>
    viewText(context.masker.body(text, body.mediaType), undefined, context);
  return [
    ...(ignored.length === 0
      ? []
      : [note("Lines that belong to no event:"), ...shown(ignored.join("\n"))]),
    ...(isOpen && !cut
      ? [
          note("The body ends within an event, which has no blank line behind it:"),
          ...shown(last.trim()),
        ]
      : []),
  ];
}

function info(text: string): Block {
  return { kind: "note", level: "info", text };
}

function note(text: string): Block {
  return { kind: "note", level: "warning", text };
}

/** Converts an item to a row of a table; the keys of JSON objects become columns. */
function toRow({ item, number }: NumberedItem): EventRow {
  switch (item.kind) {
    case "event": {
      const { event, id, data } = item;
      return { "#": number, event, ...(id === undefined ? {} : { id }), data: orText(item, data) };
    }
    case "line": {
      const value = orText(item, item.text);
      return { "#": number, ...(isRecord(value) ? value : { value }) };
    }
    case "text":
      return { "#": number, text: item.text };
    case "bytes":
      return { "#": number, bytes: item.bytes.byteLength };
  }
}

/** Displays both ends of a stream, and the number of items between them. */
export function viewStreamEnds(
  { rows: ends, noun, cut, joined }: Pick<RowReader, "rows" | "noun" | "cut" | "joined">,
  context: ViewContext,
): readonly Block[] {
  const { count, first, last } = ends;
  const { limits, redactor } = context;
  const long = cut === 0 ? [] : [cutNote(cut, noun)];
  if (count === 0) return [info(`No ${noun} has arrived`), ...long];
  const items = [...first, ...last].map(toRow);
  const { rows, shared } =
    noun === NOUNS["events"] ? arrangeEvents(items, redactor) : { rows: items, shared: undefined };
  const origin: Origin = { total: (list) => (list === rows ? rows.length : undefined) };
  const table = viewJson(rows, context, origin);
  const hidden = count - rows.length;
  const parts =
    hidden === 0
      ? formatCount(count, noun)
      : `${formatCount(count, noun)}: the first ${first.length} and the last ${last.length} are shown, ` +
        `${groupDigits(hidden)} in between are not`;
  const common = hidden === 0 ? "Each has" : "Each of those shown has";
  return [
    info(parts),
    ...(shared === undefined
      ? []
      : [info(cutText(`${common} ${compactJson(shared, limits.line, redactor)}`, limits.line))]),
    ...long,
    ...table,
    ...(joined === ""
      ? []
      : [info("Their text:"), ...viewText(redactor.text(joined), undefined, context)]),
  ];
}

function cutNote(cut: number, noun: string): Block {
  const which = cut === 1 ? `1 ${noun} has` : `${groupDigits(cut)} ${noun}s have`;
  const text = `${which} more than ${groupDigits(LONGEST)} characters: the rest is not shown`;
  return { kind: "note", level: "warning", text };
}

function orText(item: { readonly json: unknown }, text: string): unknown {
  try {
    return item.json ?? text;
  } catch {
    // Not JSON: the text is shown.
    return text;
  }
}
