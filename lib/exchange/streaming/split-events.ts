import { createParser } from "eventsource-parser";
import { createEventCutter } from "./cut-events.ts";
import type { StreamEvent } from "./items.ts";
import type { ParseJson, TextSplitter } from "./text-splitter.ts";

/** The maximum number of characters of an event; a longer one is an error of the server. */
const LONGEST_EVENT = 64 * 1024 * 1024;

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
  // An id applies to all later events, until the next one.
  let lastId: string | undefined;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent({ event = "message", data, id = lastId }) {
      lastId = id;
      ready.push(createEvent({ event, data, ...(id === undefined ? {} : { id }) }, parseJson));
    },
    onError(error) {
      // The standard ignores unknown fields and invalid retry values.
      if (error.type !== "max-buffer-size-exceeded") return;
      const state = `an event exceeds ${LONGEST_EVENT} characters`;
      throw new RangeError(`Cannot read the event stream: ${state}`, { cause: error });
    },
  });
  return {
    push(text) {
      parser.feed(cutter === undefined ? text : cutter.take(text));
      const events = ready;
      ready = [];
      return events;
    },
    end: () => [],
    get cut() {
      return cutter?.count ?? 0;
    },
  };
}

function createEvent(
  parts: { readonly event: string; readonly data: string; readonly id?: string },
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
