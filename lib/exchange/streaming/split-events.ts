import { createParser } from "eventsource-parser";
import { createEventCutter } from "./cut-events.ts";
import type { StreamEvent } from "./items.ts";
import type { ParseJson, TextSplitter } from "./text-splitter.ts";

/** An event that is longer than this in characters is a server gone wrong. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/**
 * Takes an event stream apart as the HTML Standard has it; an event that has not ended is none.
 *
 * @param longest Events are cut after so many characters; unless told, far longer ones are an error.
 */
export function splitEvents(
  parseJson: ParseJson,
  longest: number | undefined,
): TextSplitter<StreamEvent> {
  const cutter = longest === undefined ? undefined : createEventCutter(longest);
  let ready: StreamEvent[] = [];
  // An id holds for the events after it as well, until another one is given.
  let lastId: string | undefined;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent({ event = "message", data, id = lastId }) {
      lastId = id;
      ready.push(createEvent({ event, data, ...(id === undefined ? {} : { id }) }, parseJson));
    },
    onError(error) {
      // Unknown fields and broken retry values are to be skipped, as the standard has it.
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
