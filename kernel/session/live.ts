import {
  type ArrivingAnswer,
  createRowReader,
  type RowReader,
  renderArrival,
} from "../../lib/display/mod.ts";
import {
  type ArrivalHooks,
  type Exchange,
  NoResponseError,
  type ResponseHead,
  type Secrets,
  type StreamItem,
} from "../../lib/mod.ts";
import type { OutputSink, Shown } from "./outcome.ts";
import { show } from "./show.ts";

/** What is seen of the answers of a cell while they arrive. */
export interface Live {
  readonly hooks: ArrivalHooks;
  /** An answer is whole: it takes the place of what was shown of it, if anything was. */
  replace(exchange: Exchange): boolean;
  /** No answer came of it. */
  fail(error: unknown): void;
}

/** What is here in less time is shown when it is whole. */
const PATIENCE = 400;
const INTERVAL = 250;
const BEGINNING = 65_536;

interface Arrival {
  readonly head: ResponseHead;
  readonly reader: RowReader | undefined;
  readonly beginning: Uint8Array[];
  kept: number;
  received: number;
  total: number | undefined;
  elapsed: number;
}

/**
 * Watches the answers of a cell: in place where the front end can replace what it has shown, as
 * lines where it prints, not at all else.
 *
 * @param methodOf The method of the request that is on its way.
 */
export function watchLive(sink: OutputSink, secrets: Secrets, methodOf: () => string): Live {
  let arrival: Arrival | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let id: string | undefined;
  const { displayWithId, update, arrive } = sink;
  const canReplace = displayWithId !== undefined && update !== undefined;

  const draw = (): void => {
    timer = undefined;
    if (arrival === undefined) return;
    const shown = showArrival(arrival, methodOf(), secrets);
    if (id === undefined) id = displayWithId?.(shown);
    else update?.(id, shown);
  };
  const forget = (): void => {
    clearTimeout(timer);
    timer = undefined;
    arrival = undefined;
    id = undefined;
  };
  const take = (bytes: Uint8Array, to: Arrival): void => {
    if (to.reader === undefined) {
      if (to.kept < BEGINNING) to.beginning.push(bytes.slice(0, BEGINNING - to.kept));
      to.kept = Math.min(BEGINNING, to.kept + bytes.byteLength);
      return;
    }
    for (const item of to.reader.push(bytes)) arrive?.(secrets.mask(lineOf(item)));
  };

  return {
    hooks: {
      onHeaders: (head) => {
        forget();
        arrival = {
          head,
          reader: createRowReader(head.mediaType),
          beginning: [],
          kept: 0,
          received: 0,
          total: undefined,
          elapsed: 0,
        };
      },
      onChunk: (bytes) => {
        if (arrival !== undefined) take(bytes, arrival);
      },
      onProgress: (progress) => {
        if (arrival === undefined) return;
        Object.assign(arrival, progress);
        if (canReplace) timer ??= setTimeout(draw, id === undefined ? PATIENCE : INTERVAL);
      },
    },
    replace: (exchange) => {
      const shownAs = id;
      forget();
      if (shownAs === undefined) return false;
      update?.(shownAs, show(exchange, secrets));
      return true;
    },
    fail: (error) => {
      const shownAs = id;
      forget();
      // What had come is worth more than how far it was.
      const partial = error instanceof NoResponseError ? error.partial : undefined;
      if (shownAs !== undefined && partial !== undefined) update?.(shownAs, show(partial, secrets));
    },
  };
}

function showArrival(arrival: Arrival, method: string, secrets: Secrets): Shown {
  const { head, received, total, elapsed, reader } = arrival;
  const answer: ArrivingAnswer = {
    head,
    method,
    received,
    total,
    elapsed,
    reader,
    beginning: join(arrival.beginning),
  };
  return { value: answer, metadata: {}, bundle: () => renderArrival(answer, [secrets]) };
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function lineOf(item: StreamItem): string {
  if (item.kind === "event") return `${item.event}: ${item.data}\n`;
  return item.kind === "line" ? `${item.text}\n` : "";
}
