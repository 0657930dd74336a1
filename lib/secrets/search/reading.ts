import type { Stretch } from "../names/mod.ts";

/** A decoded text, and where its parts are in the text as it is written. */
export interface Reading {
  readonly text: string;
  /** The range of the written text that a range was decoded from; an escape is never split. */
  toWritten(start: number, end: number): Stretch;
}

/** The text itself. */
export function asWritten(text: string): Reading {
  return { text, toWritten: (start, end) => ({ start, end }) };
}

/** Chains two readings. */
export function readFurther(outer: Reading, inner: Reading): Reading {
  return {
    text: inner.text,
    toWritten: (start, end) => {
      const inside = inner.toWritten(start, end);
      return outer.toWritten(inside.start, inside.end);
    },
  };
}

/**
 * Decodes each match of a pattern.
 *
 * @param read Returns the characters, or `undefined` to leave a match as it is.
 * @returns Nothing if no match is decoded.
 */
export function replaceIn(
  written: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => string | undefined,
): Reading | undefined {
  const parts: string[] = [];
  // Of each match: where its characters begin and end, and where it does.
  const places: number[] = [];
  let length = 0;
  let from = 0;
  for (const match of written.matchAll(pattern)) {
    const characters = read(match);
    if (characters === undefined) continue;
    const before = written.slice(from, match.index);
    from = match.index + match[0].length;
    parts.push(before, characters);
    length += before.length;
    places.push(length, length + characters.length, match.index, from);
    length += characters.length;
  }
  if (places.length === 0) return undefined;
  parts.push(written.slice(from));
  return {
    text: parts.join(""),
    toWritten: (start, end) => ({
      start: writtenAt(places, start, "start"),
      end: writtenAt(places, end, "end"),
    }),
  };
}

/** The offset in the written text; in an escape that of its beginning or its end, depending on the side. */
function writtenAt(places: readonly number[], at: number, side: "start" | "end"): number {
  let low = 0;
  let high = places.length / 4;
  // The number of escapes that begin before this place, or at it where a stretch begins.
  while (low < high) {
    const middle = (low + high) >> 1;
    const begin = places[middle * 4] ?? 0;
    if (side === "start" ? begin <= at : begin < at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return at;
  const [, end = 0, writtenBegin = 0, writtenEnd = 0] = places.slice(low * 4 - 4, low * 4);
  if (at < end || (side === "end" && at === end))
    return side === "start" ? writtenBegin : writtenEnd;
  return writtenEnd + (at - end);
}
