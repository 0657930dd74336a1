import type { ResponseHead } from "../../exchange/mod.ts";
import { parseMediaType } from "../../exchange/mod.ts";

/** How far a body has come. */
export interface BodyProgress {
  /** Bytes that have come, after decompression. */
  readonly received: number;
  /** Bytes that there will be, where the server says so and does not compress them. */
  readonly total: number | undefined;
  /** Milliseconds since sending began. */
  readonly elapsed: number;
}

/** What a caller may watch while an answer comes. Each is called for the final answer alone. */
export interface ArrivalHooks {
  /** Called once, with the beginning of the answer. */
  readonly onHeaders?: (head: ResponseHead) => void;
  /** Called with each piece of the body. The next is read when a promise that it gives has settled. */
  readonly onChunk?: (bytes: Uint8Array) => unknown;
  /**
   * How many bytes of the body the exchange keeps, where `onChunk` takes all of it: the body may be of any
   * length then, and only a time limit that was set holds for it. `maxBodyBytes` ends it unless told.
   */
  readonly keepBytes?: number;
  /** Called with each piece of the body, and when it has ended. */
  readonly onProgress?: (progress: BodyProgress) => void;
}

/** The beginning of an answer as fetch gives it, or as we make it of something else. */
export type AnswerHead = Pick<Response, "status" | "statusText" | "headers">;

/** What sending does with an answer on its way; absent where nobody watches. */
export interface BodyObserver {
  /** How many bytes of the body the exchange keeps; all up to `maxBodyBytes` where it is left out. */
  readonly keepBytes?: number | undefined;
  /** The time limit holds until the body begins, whatever its type. */
  readonly isUntimed?: true;
  /** That the body is stopped half-way is no failure, whatever its type. */
  readonly mayStop?: true;
  /** What is to be said of the body when it has come. */
  readonly remark?: string | undefined;
  begin(response: AnswerHead, url: string, start: number): void;
  /** Gives `false` to stop, or a promise of that. */
  chunk(bytes: Uint8Array): unknown;
  /** @param isWhole Whether the body came to its end. */
  end(isWhole: boolean): void | Promise<void>;
}

/** Where the progress of a request is noted for others to look at. */
export interface Track {
  received?: number;
  total?: number;
}

/** The option by which our own streams and downloads watch in place of hooks. */
export const OWN_OBSERVER: unique symbol = Symbol("restlab.arrival");

/** Hooks as callers give them, or an arrival of our own. */
export interface WatchedOptions extends ArrivalHooks {
  readonly [OWN_OBSERVER]?: (track: Track) => BodyObserver;
}

/** Joins the hooks of a call, or gives nothing where there are none. */
export function observeBody(hooks: WatchedOptions, track: Track): BodyObserver | undefined {
  const own = hooks[OWN_OBSERVER];
  if (own) return own(track);
  const { onHeaders, onChunk, onProgress } = hooks;
  return onHeaders || onChunk || onProgress ? createWatch(hooks, track) : undefined;
}

/** Keeps track of an answer, and tells hooks of it. */
export function createWatch(hooks: ArrivalHooks, track: Track): BodyObserver {
  const { onHeaders, onChunk, onProgress, keepBytes } = hooks;
  let begun = 0;
  let received = 0;
  let total: number | undefined;
  const report = (): void => {
    onProgress?.({ received, total, elapsed: performance.now() - begun });
  };
  return {
    keepBytes,
    begin(response, url, start) {
      begun = start;
      total = lengthOf(response);
      track.received = 0;
      if (total !== undefined) track.total = total;
      onHeaders?.(headOf(response, url));
    },
    async chunk(bytes) {
      received += bytes.byteLength;
      track.received = received;
      report();
      // What a hook gives back is nothing to stop by: only a stream of our own does that.
      await onChunk?.(bytes);
    },
    end: report,
  };
}

/** The beginning of an answer as plain data. */
export function headOf(response: AnswerHead, url: string): ResponseHead {
  const { status, statusText, headers } = response;
  const mediaType = parseMediaType(headers.get("content-type")).essence;
  return { url, status, statusText, headers, mediaType };
}

/** A Content-Length counts compressed bytes, which are not those that come out. */
export function lengthOf({ headers }: Pick<Response, "headers">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) return undefined;
  return /^(?:identity)?$/i.test(headers.get("content-encoding") ?? "")
    ? Number(length)
    : undefined;
}
