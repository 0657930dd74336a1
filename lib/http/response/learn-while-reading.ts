import { join, parseMediaType, streamKind } from "../../exchange/mod.ts";
import type { Secrets } from "../../secrets/mod.ts";
import type { BodyObserver } from "./body-observer.ts";

/** Of a body that is no stream no more is shown before it is whole. */
const BEGINNING = 65_536;
/** So much of what has passed is looked at again with the next piece: a name and its value. */
const OVERLAP = 4_096;
/** A body that passes by is looked through up to here: some types take a second for so much. */
const MOST_PASSING = 10_000_000;
/** A line that is longer than this is looked at in parts. */
const LONGEST_LINE = 262_144;

/**
 * Learns the secrets of an answer while it comes, since whoever watches shows them before it is
 * whole: of its headers, of each line of a stream, of the beginning of any other body, and of far
 * more of one that passes by and is not kept.
 */
export function learnWhileReading(arrival: BodyObserver, stores: readonly Secrets[]): BodyObserver {
  let learn: (bytes: Uint8Array) => void = () => undefined;
  const own: Pick<BodyObserver, "begin" | "chunk"> = {
    begin(response, url, start) {
      const { essence } = parseMediaType(response.headers.get("content-type"));
      const kind = streamKind(essence);
      const isStream = kind === "lines" || kind === "events";
      for (const secrets of stores)
        secrets.learn({ kind: "headers", headers: response.headers }, "server");
      const isPassing = arrival.mayStop === true && arrival.keepBytes !== undefined;
      if (isStream) learn = learnLines(essence, stores);
      else if (isPassing) learn = learnPassing(essence, stores);
      else learn = learnBeginning(essence, stores);
      arrival.begin(response, url, start);
    },
    chunk(bytes) {
      learn(bytes);
      return arrival.chunk(bytes);
    },
  };
  // Above the arrival, whose remarks change while it goes on.
  return Object.assign(Object.create(arrival) as BodyObserver, own);
}

function learnLines(mediaType: string, stores: readonly Secrets[]): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    const cut = end === 0 && text.length > LONGEST_LINE ? text.length : end;
    rest = text.slice(cut);
    if (cut === 0) return;
    const whole = text.slice(0, cut);
    for (const secrets of stores)
      secrets.learn({ kind: "body", text: () => whole, mediaType }, "server");
  };
}

function learnBeginning(
  mediaType: string,
  stores: readonly Secrets[],
): (bytes: Uint8Array) => void {
  const kept: Uint8Array[] = [];
  let size = 0;
  let isWaiting = false;
  return (bytes) => {
    if (size >= BEGINNING) return;
    kept.push(bytes.slice(0, BEGINNING - size));
    size += bytes.byteLength;
    // What waits is looked at when something is shown: all that has come by then.
    if (isWaiting) return;
    isWaiting = true;
    const text = (): string => {
      isWaiting = false;
      const decoder = new TextDecoder();
      return kept.map((piece) => decoder.decode(piece, { stream: true })).join("");
    };
    for (const secrets of stores) secrets.learn({ kind: "body", text, mediaType }, "server");
  };
}

/** Types whose names stand in the first line: those of columns, or the boundary of parts. */
const HEADED = /^multipart\/|csv$|separated-values$/;

/** Nobody will look at such a body again: each piece is looked at with the end of the one before. */
function learnPassing(mediaType: string, stores: readonly Secrets[]): (bytes: Uint8Array) => void {
  const learnFirst = learnBeginning(mediaType, stores);
  let passed = 0;
  let head = "";
  let tail = new Uint8Array();
  return (bytes) => {
    learnFirst(bytes);
    if (passed === 0 && HEADED.test(mediaType)) head = firstLine(bytes);
    passed += bytes.byteLength;
    const seen = join([tail, bytes], tail.byteLength + bytes.byteLength);
    tail = seen.slice(-OVERLAP);
    if (passed <= BEGINNING || passed > MOST_PASSING) return;
    const text = (): string => head + new TextDecoder().decode(seen);
    for (const secrets of stores) secrets.learn({ kind: "body", text, mediaType }, "server");
  };
}

function firstLine(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, OVERLAP));
  return text.slice(0, text.indexOf("\n") + 1);
}
