import type { Secrets } from "../../secrets/mod.ts";
import { streamKind } from "../../streaming/mod.ts";
import { parseMediaType } from "../media-type.ts";
import type { Arrival } from "./hooks.ts";

/** Of a body that is no stream no more is shown before it is whole. */
const BEGINNING = 65_536;
/** A line that is longer than this is looked at in parts. */
const LONGEST_LINE = 262_144;

/**
 * Learns the secrets of an answer while it comes, since whoever watches shows them before it is
 * whole: of its headers, of each line of a stream, and of the beginning of any other body.
 */
export function learnArriving(arrival: Arrival, stores: readonly Secrets[]): Arrival {
  let learn: (bytes: Uint8Array) => void = () => undefined;
  const own: Pick<Arrival, "begin" | "chunk"> = {
    begin(response, url, start) {
      const { essence } = parseMediaType(response.headers.get("content-type"));
      const kind = streamKind(essence);
      const isStream = kind === "lines" || kind === "events";
      for (const secrets of stores) secrets.learnHeaders(response.headers);
      learn = isStream ? learnLines(essence, stores) : learnBeginning(essence, stores);
      arrival.begin(response, url, start);
    },
    chunk(bytes) {
      learn(bytes);
      return arrival.chunk(bytes);
    },
  };
  // Above the arrival, whose remarks change while it goes on.
  return Object.assign(Object.create(arrival) as Arrival, own);
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
    for (const secrets of stores) secrets.learnBody(() => whole, mediaType);
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
    for (const secrets of stores) secrets.learnBody(text, mediaType);
  };
}
