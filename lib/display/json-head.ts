import type { Content } from "../exchange/mod.ts";
import {
  countSkipped,
  createReading,
  finishToken,
  type HeadLimits,
  readStep,
} from "./json-reading.ts";

/** More than any view shows, and little compared with the bodies that this is for. */
export const HEAD_LIMITS: HeadLimits = {
  items: 1_000,
  keys: 10_000,
  string: 65_536,
  values: 20_000,
  depth: 70,
};

/** The beginning of a JSON text, which can be read while the rest arrives. */
export interface JsonHead {
  /** Reads the next bytes of the text, in UTF-8. */
  feed(chunk: Uint8Array): void;
  /** Ends the text. */
  end(): void;
  /** `broken` when the text is not JSON, or ended early. */
  readonly state: "open" | "whole" | "broken";
  /** The number of bytes read. */
  readonly length: number;
  /** The value so far; items of a list are added when they are complete. */
  readonly value: unknown;
  /** The number of items or keys of an array or object that is not kept whole, counted so far. */
  total(container: object): number | undefined;
}

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/**
 * Reads the beginning of a JSON text: the first items of lists and the first keys of objects become
 * values, the rest is counted. The limits bound the memory, whatever the text is.
 */
export function createJsonHead(limits: HeadLimits = HEAD_LIMITS): JsonHead {
  const reading = createReading(limits);
  let state: JsonHead["state"] = "open";
  let length = 0;
  const guarded = (read: () => void): void => {
    if (state !== "open") return;
    try {
      read();
    } catch {
      // The parser of the whole text reports the position.
      state = "broken";
    }
  };
  return {
    feed(chunk) {
      guarded(() => {
        let at = 0;
        while (chunk[at] === BYTE_ORDER_MARK[length + at] && at < chunk.length) at++;
        while (at < chunk.length) at = readStep(reading, chunk, at);
      });
      length += chunk.length;
    },
    end() {
      guarded(() => {
        if (reading.token?.kind === "word") finishToken(reading, reading.token);
        state = reading.expected === "nothing" ? "whole" : "broken";
      });
    },
    get state() {
      return state;
    },
    get length() {
      return length;
    },
    get value() {
      return reading.root;
    },
    total: (container) => countSkipped(reading, container),
  };
}

/** The heads of bodies, kept as long as the bodies. */
const HEADS = new WeakMap<Content, JsonHead>();

/**
 * Reads the head of a JSON text in UTF-8. A long body is read only once, however often it is displayed:
 * in progress, in a notebook, again when that has to be shortened, at a terminal.
 */
export function jsonHeadOf(content: Content): JsonHead {
  const known = HEADS.get(content);
  if (known !== undefined) return known;
  const head = createJsonHead();
  for (const piece of content.pieces) head.feed(piece);
  head.end();
  HEADS.set(content, head);
  return head;
}

/** Keeps the head that was read while the body arrived. */
export function keepJsonHead(content: Content, head: JsonHead): void {
  head.end();
  // A body that was cut contains less than what was read.
  if (head.length === content.length) HEADS.set(content, head);
}
