import type { Stretch } from "./positions.ts";
import type { Unescaped } from "./unescape.ts";

/** Shorter stretches pack no secret that could be masked with what makes it look different. */
const SHORTEST_RUN = 16;
/** Mails have 76 characters in a line, keys 64; lines of prose have blanks in them. */
const SHORTEST_LINE = 40;
const SIGN = String.raw`[A-Za-z\d+/_-]`;
const LINE_END = String.raw`(?:\r?\n|(?:\\+r)?\\+n)[ \t]{0,20}`;
// A line that is not the last of a run is long.
const RUN = new RegExp(
  String.raw`[A-Za-z\d]${SIGN}{${SHORTEST_RUN - 1},}(?:(?<=${SIGN}{${SHORTEST_LINE}})${LINE_END}${SIGN}+)*`,
  "g",
);
const GAP = new RegExp(LINE_END, "g");

/** Base64 in a text, and what it says. */
interface Run {
  /** Where what it says begins in the text of all runs. */
  readonly from: number;
  readonly start: number;
  /** Where each of its signs stands, where it has several lines. */
  readonly places: readonly number[] | undefined;
}

/**
 * Reads the stretches of a text that may be base64, each byte as one character, and a line for each.
 * What a secret itself looks like in base64 is found without that, wherever it stands; this finds what
 * is packed with something else: escaped before, in base64 once more, on several lines.
 */
export function readBase64(written: string): Unescaped | undefined {
  const parts: string[] = [];
  const runs: Run[] = [];
  let length = 0;
  for (const { 0: run, index } of written.matchAll(RUN)) {
    // Words and hexadecimal numbers get by without capitals, texts in base64 do not.
    const text = /[A-Z]/.test(run) ? decode(run.replace(GAP, "")) : undefined;
    if (text === undefined) continue;
    runs.push({ from: length, start: index, places: placesOf(run) });
    parts.push(text);
    length += text.length + 1;
  }
  if (runs.length === 0) return undefined;
  return { text: parts.join("\n"), toWritten: (start, end) => stretchOf(runs, start, end) };
}

function stretchOf(runs: readonly Run[], start: number, end: number): Stretch {
  let low = 0;
  for (let high = runs.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Run).from <= start) low = middle;
    else high = middle;
  }
  const { from, start: begin, places } = runs[low] as Run;
  const at = (sign: number): number => begin + (places === undefined ? sign : (places[sign] ?? 0));
  // Three bytes are four signs.
  return {
    start: at(Math.floor(((start - from) * 4) / 3)),
    end: at(Math.ceil(((end - from) * 4) / 3) - 1) + 1,
  };
}

/** A single sign behind the last four is none. */
function decode(signs: string): string | undefined {
  const whole = signs.length % 4 === 1 ? signs.slice(0, -1) : signs;
  try {
    return atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    // No base64, whatever it looks like.
    return undefined;
  }
}

function placesOf(run: string): readonly number[] | undefined {
  const places: number[] = [];
  let from = 0;
  for (const gap of run.matchAll(GAP)) {
    for (let at = from; at < gap.index; at++) places.push(at);
    from = gap.index + gap[0].length;
  }
  if (from === 0) return undefined;
  for (let at = from; at < run.length; at++) places.push(at);
  return places;
}
