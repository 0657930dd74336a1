import {
  createEnds,
  createSplitter,
  type Ends,
  parseJson,
  type StreamItem,
  streamKind,
} from "../../exchange/mod.ts";
import type { Block, Origin, ViewContext } from "../blocks/mod.ts";
import { createMasker, formatCount, groupDigits } from "../blocks/mod.ts";
import type { Body } from "./body.ts";
import { viewJson } from "./json-view.ts";

/** How many items of a stream are shown from its beginning and from its end. */
const STREAM_ENDS = { first: 10, last: 20 } as const;

/** So much of a body is taken apart at once. */
const PIECE = 65_536;

/** So many characters of an event or a line are kept to be shown; a server may send one without an end. */
const LONGEST = 1_048_576;

/** An item of a stream, and the how manieth it is, from 1. */
export interface NumberedItem {
  readonly item: StreamItem;
  readonly number: number;
}

/** Takes a stream apart while it comes, and remembers its ends as lines of a table. */
export interface RowReader {
  /** What an item is called. */
  readonly noun: string;
  readonly rows: Ends<NumberedItem>;
  /** How many items were too long to be kept as a whole. */
  readonly cut: number;
  /** Takes a piece and gives the items that have become whole. */
  push(bytes: Uint8Array): readonly StreamItem[];
}

const NOUNS: Readonly<Record<string, string>> = { events: "event", lines: "line" };

/** Creates the reader of an event stream or of JSON Lines; other bodies have no items. */
export function createRowReader(mediaType: string): RowReader | undefined {
  const kind = streamKind(mediaType);
  const noun = NOUNS[kind];
  if (noun === undefined) return undefined;
  const splitter = createSplitter(kind, { parseJson, longest: LONGEST });
  const rows = createEnds<NumberedItem>(STREAM_ENDS);
  const keep = (items: readonly StreamItem[]): readonly StreamItem[] => {
    // What is in an item is looked at when it is shown: of most it never is.
    for (const item of items) rows.push({ item, number: rows.count + 1 });
    return items;
  };
  return {
    noun,
    rows,
    get cut() {
      return splitter.cut;
    },
    push: (bytes) => keep(splitter.push(bytes)),
  };
}

/** An event stream that has come: its first and its last events as a table. */
export function viewEventStream(
  { content, mediaType }: Body,
  context: ViewContext,
): readonly Block[] {
  const reader = createRowReader(mediaType);
  if (reader === undefined) return [];
  for (const piece of content.pieces) {
    for (let at = 0; at < piece.length; at += PIECE) reader.push(piece.subarray(at, at + PIECE));
  }
  return viewEnds(reader, context);
}

/** A line of the table of a stream. */
export type Row = Readonly<Record<string, unknown>>;

/** An item of a stream as a line of a table; JSON as what it is, so that its keys become columns. */
function toRow({ item, number }: NumberedItem): Row {
  switch (item.kind) {
    case "event": {
      const { event, id, data } = item;
      return { "#": number, event, ...(id === undefined ? {} : { id }), data: orText(item, data) };
    }
    case "line": {
      const value = orText(item, item.text);
      return { "#": number, ...(isPlain(value) ? value : { value }) };
    }
    case "text":
      return { "#": number, text: item.text };
    case "bytes":
      return { "#": number, bytes: item.bytes.byteLength };
  }
}

/** The beginning and the end of a stream, and how much there was between them. */
export function viewEnds(
  { rows: ends, noun, cut }: Pick<RowReader, "rows" | "noun" | "cut">,
  context: ViewContext,
): readonly Block[] {
  const { count, first, last } = ends;
  const long = cut === 0 ? [] : [cutNote(cut, noun)];
  if (count === 0)
    return [{ kind: "note", level: "info", text: `No ${noun} has arrived` }, ...long];
  const rows = [...first, ...last].map(toRow);
  const origin: Origin = { total: (list) => (list === rows ? rows.length : undefined) };
  const table = viewJson(rows, context, createMasker(context.masking), origin);
  const hidden = count - rows.length;
  const parts =
    hidden === 0
      ? formatCount(count, noun)
      : `${formatCount(count, noun)}: the first ${first.length} and the last ${last.length} are shown, ` +
        `${groupDigits(hidden)} in between are not`;
  return [{ kind: "note", level: "info", text: parts }, ...long, ...table];
}

function cutNote(cut: number, noun: string): Block {
  const which = cut === 1 ? `1 ${noun} has` : `${groupDigits(cut)} ${noun}s have`;
  const text = `${which} more than ${groupDigits(LONGEST)} characters: the rest is not shown`;
  return { kind: "note", level: "warning", text };
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of an item is any
function orText(item: { readonly json: any }, text: string): unknown {
  try {
    return item.json ?? text;
  } catch {
    // No JSON: the text is what there is to see.
    return text;
  }
}

function isPlain(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
