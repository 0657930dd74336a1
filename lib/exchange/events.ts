import { createParser } from "eventsource-parser";
import type { ParseJson, StreamEvent, TextSplitter } from "./splitter.ts";

/** The maximum number of characters of an event; a longer one is an error of the server. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/** The number of lines without a known field that are kept. */
const MAX_IGNORED = 20;

/**
 * Splits an event stream (HTML Standard, 9.2); an event that has not ended is dropped.
 *
 * @param longest Cuts events after this number of characters; by default, far longer ones are an error.
 */
export function splitEvents(
  parseJson: ParseJson,
  longest: number | undefined,
): TextSplitter<StreamEvent> {
  const cutter = longest === undefined ? undefined : createEventCutter(longest);
  let ready: StreamEvent[] = [];
  const ignored: string[] = [];
  // An id applies to all later events, until the next one.
  let lastId: string | undefined;
  /** What the server has said since the last event. */
  let retry: number | undefined;
  // The parser waits for the LF that may follow a CR.
  let endsInReturn = false;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent({ event = "message", data, id = lastId }) {
      lastId = id;
      const parts = {
        event,
        data,
        ...(id === undefined ? {} : { id }),
        ...(retry === undefined ? {} : { retry }),
      };
      retry = undefined;
      ready.push(createEvent(parts, parseJson));
    },
    onRetry(milliseconds) {
      retry = milliseconds;
    },
    onError(error) {
      if (
        error.type === "unknown-field" &&
        ignored.length < MAX_IGNORED &&
        error.line !== undefined
      ) {
        ignored.push(error.line.slice(0, 1000));
      }
      // The standard ignores unknown fields and invalid retry values.
      if (error.type !== "max-buffer-size-exceeded") return;
      const state = `an event exceeds ${LONGEST_EVENT} characters`;
      throw new RangeError(`Cannot read the event stream: ${state}`, { cause: error });
    },
  });
  const push = (text: string): readonly StreamEvent[] => {
    if (text !== "") endsInReturn = text.endsWith("\r");
    parser.feed(cutter === undefined ? text : cutter.take(text));
    const events = ready;
    ready = [];
    return events;
  };
  return {
    push,
    end: () => (endsInReturn ? push("\n") : []),
    ignored,
    get cut() {
      return cutter?.count ?? 0;
    },
  };
}

function createEvent(
  parts: Pick<StreamEvent, "event" | "data" | "id" | "retry">,
  parseJson: ParseJson,
): StreamEvent {
  return {
    kind: "event",
    ...parts,
    get json() {
      return parseJson(parts.data);
    },
  };
}

/** Cuts long events of an event stream that arrives in chunks. */
interface EventCutter {
  /** Returns what is kept of a chunk. */
  take(text: string): string;
  /** The number of events cut, including one that has not ended. */
  readonly count: number;
}

/**
 * Creates a cutter that limits the characters of each event, so that the parser after it does not buffer
 * more. It also drops comments, since a stream may contain nothing else for hours.
 *
 * @param most The number of characters of an event that are kept.
 */
function createEventCutter(most: number): EventCutter {
  let left = most;
  let count = 0;
  let isCut = false;
  /** The current line: its length so far, how much of it was kept, whether it is a comment. */
  let line = { length: 0, kept: 0, isComment: false };
  /** What was kept of a CR at the end of a chunk; an LF at the start of the next belongs to it. */
  let lastReturn: string | undefined;

  function takePart(text: string): string {
    if (line.length === 0) line.isComment = text.startsWith(":");
    line.length += text.length;
    if (line.isComment) return "";
    const kept = text.slice(0, left);
    if (kept.length < text.length) isCut = true;
    left -= kept.length;
    line.kept += kept.length;
    return kept;
  }

  function takeEnd(end: string): string {
    const { length, kept } = line;
    line = { length: 0, kept: 0, isComment: false };
    if (length > 0) return kept > 0 ? end : "";
    if (isCut) count += 1;
    isCut = false;
    left = most;
    return end;
  }

  return {
    get count() {
      return count + (isCut ? 1 : 0);
    },
    take: (text) => {
      const parts: string[] = [];
      let from = 0;
      if (lastReturn !== undefined && text.startsWith("\n")) {
        if (lastReturn !== "") parts.push("\n");
        from = 1;
      }
      if (text !== "") lastReturn = undefined;
      const ends = /\r\n?|\n/g;
      ends.lastIndex = from;
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        const kept = takePart(text.slice(from, end.index));
        const keptEnd = takeEnd(end[0]);
        parts.push(kept, keptEnd);
        from = ends.lastIndex;
        if (end[0] === "\r" && from === text.length) lastReturn = keptEnd;
      }
      parts.push(takePart(text.slice(from)));
      return parts.join("");
    },
  };
}
