import {
  type BodyPreview,
  createBodyPreview,
  createRowReader,
  type ResponseInProgress,
  type RowReader,
  renderInProgress,
} from "../../../lib/display/mod.ts";
import {
  type ArrivalHooks,
  type Exchange,
  NoResponseError,
  type ResponseHead,
  type Secrets,
  type StreamItem,
} from "../../../lib/mod.ts";
import type { OutputSink, Shown } from "../cell/mod.ts";
import { show } from "./show.ts";

/** What is seen of the answers of a cell while they arrive. */
export interface LiveOutput {
  readonly hooks: ArrivalHooks;
  /** An answer is whole: it takes the place of what was shown of it, if anything was. */
  replace(exchange: Exchange): boolean;
  /** No answer came of it. */
  fail(error: unknown): void;
}

/** What is here in less time is shown when it is whole; of what is large, something is shown earlier. */
const PATIENCE = 400;
const LARGE = 5_000_000;
const INTERVAL = 250;

/** Where nothing can be shown before the end, nobody watches. */
const BLIND: LiveOutput = { hooks: {}, replace: () => false, fail: () => undefined };

interface Arrival {
  readonly head: ResponseHead;
  readonly reader: RowReader | undefined;
  readonly preview: BodyPreview;
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
export function watchLiveOutput(
  sink: OutputSink,
  secrets: Secrets,
  methodOf: () => string,
): LiveOutput {
  const { displayWithId, update, arrive } = sink;
  const canReplace = displayWithId !== undefined && update !== undefined;
  if (!canReplace && arrive === undefined) return BLIND;

  let arrival: Arrival | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let id: string | undefined;
  let isDue = 0;

  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (arrival === undefined) return;
    const shown = showArrival(arrival, methodOf(), secrets);
    if (id === undefined) id = displayWithId?.(shown);
    else update?.(id, shown);
    isDue = performance.now() + INTERVAL;
  };
  const watch = ({ total = 0 }: Arrival): void => {
    const now = performance.now();
    if (isDue === 0) isDue = now + (total >= LARGE ? PATIENCE / 4 : PATIENCE);
    // A quick answer keeps the loop busy to its end: no timer would fire before.
    if (now >= isDue) draw();
    else timer ??= setTimeout(draw, isDue - now);
  };
  const forget = (): void => {
    clearTimeout(timer);
    timer = undefined;
    arrival = undefined;
    id = undefined;
    isDue = 0;
  };
  const take = (bytes: Uint8Array, to: Arrival): void => {
    if (to.reader === undefined) to.preview.push(bytes);
    for (const item of to.reader?.push(bytes) ?? []) arrive?.(secrets.mask(lineOf(item)));
  };

  const hooks: ArrivalHooks = {
    onHeaders: (head) => {
      forget();
      arrival = {
        head,
        reader: createRowReader(head.mediaType),
        preview: createBodyPreview(head),
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
      if (canReplace) watch(arrival);
    },
  };
  return {
    hooks,
    replace: (exchange) => {
      const shownAs = id;
      arrival?.preview.end(exchange);
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
  secrets.learnHeaders(arrival.head.headers, "received");
  arrival.preview.learn(secrets);
  const answer: ResponseInProgress = { ...arrival, method };
  return { value: answer, metadata: {}, bundle: () => renderInProgress(answer, [secrets]) };
}

function lineOf(item: StreamItem): string {
  if (item.kind === "event") return `${item.event}: ${item.data}\n`;
  return item.kind === "line" ? `${item.text}\n` : "";
}
