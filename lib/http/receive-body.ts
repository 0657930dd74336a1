import {
  type HeaderList,
  parseMediaType,
  type ResponseHead,
  type SavedBody,
  streamKind,
} from "../exchange/mod.ts";
import { abortDetail } from "./failure.ts";
import { learnWhileReading } from "./learn-while-reading.ts";
import { lengthOf, type ReadBody, readBody } from "./read-body.ts";
import type { Send } from "./send.ts";

/** The progress of a response body. */
export interface BodyProgress {
  /** Bytes received, after decompression. */
  readonly received: number;
  /** The length of the body in bytes, if the server announces it and does not compress the body. */
  readonly total: number | undefined;
  /** Milliseconds since the request was sent. */
  readonly elapsed: number;
}

/** Callbacks while a response arrives, not called for redirects. One that throws, or rejects, ends the request. */
export interface ArrivalHooks {
  /** Called once with status and headers. */
  readonly onHeaders?: ((head: ResponseHead) => unknown) | undefined;
  /** Called with each chunk of the body. If it returns a promise, the next chunk is read after it settles. */
  readonly onChunk?: ((bytes: Uint8Array) => unknown) | undefined;
  /**
   * How many bytes of the body the exchange keeps, if `onChunk` handles all of it. The body may then be
   * of any length, and the default timeout does not apply to it. Without it, `maxBodyBytes` ends the body.
   */
  readonly keepBytes?: number | undefined;
  /** Called with each chunk of the body, and at its end. */
  readonly onProgress?: ((progress: BodyProgress) => unknown) | undefined;
}

/** Status and headers, of a `Response` or of the record of a WebSocket. */
type HeadSource = Pick<Response, "status" | "statusText" | "headers">;

/** Observes the final response while it arrives. */
export interface BodyObserver {
  /** How many bytes of the body the exchange keeps; up to `maxBodyBytes` by default. */
  readonly keepBytes?: number | undefined;
  /**
   * Its consumer takes the whole body: the timeout applies only until the body begins, whatever its type, and that the
   * exchange keeps less of it is no warning.
   */
  readonly isConsumed?: true;
  /** Headers that the request is sent with. */
  readonly headers?: HeaderList;
  /** An abort during the body is not a failure, whatever its type. */
  readonly mayStop?: true;
  /** A warning about the body, once it has arrived. */
  readonly warning?: string | undefined;
  /** The file that has the body, once it has arrived. */
  readonly saved?: SavedBody | undefined;
  begin(response: HeadSource, url: string, start: number, charset?: string): void;
  /** Returns `false`, or a promise of it, to stop. */
  chunk(bytes: Uint8Array): unknown;
  /** @param isWhole Whether the body is complete. */
  end(isWhole: boolean): void | Promise<void> | undefined;
}

/** Receives the progress of a request, for `pending`. */
export interface TransferProgress {
  received?: number;
  total?: number;
  sent?: number;
  toSend?: number | undefined;
}

/** The option with which streams and downloads observe a response instead of hooks. */
export const OWN_OBSERVER: unique symbol = Symbol("restlab.arrival");

interface ObserverOptions extends ArrivalHooks {
  readonly [OWN_OBSERVER]?: (progress: TransferProgress) => BodyObserver;
}

/** Creates the observer for the hooks of a call; `undefined` without hooks. */
export function observeBody(
  hooks: ObserverOptions,
  progress: TransferProgress,
): BodyObserver | undefined {
  const own = hooks[OWN_OBSERVER];
  if (own) return own(progress);
  const { onHeaders, onChunk, onProgress } = hooks;
  return onHeaders || onChunk || onProgress ? createBodyObserver(hooks, progress) : undefined;
}

/** Creates an observer that records the progress and calls hooks. */
export function createBodyObserver(hooks: ArrivalHooks, progress: TransferProgress): BodyObserver {
  const { onHeaders, onChunk, onProgress, keepBytes } = hooks;
  let startedAt = 0;
  let received = 0;
  let total: number | undefined;
  /** What asynchronous hooks have left to do: the request ends if one of them fails. */
  let pending: Promise<void> | undefined;
  const waitFor = (result: Promise<unknown>): void => {
    pending = Promise.all([pending, result]).then(() => undefined);
    pending.catch(() => undefined);
  };
  const report = (): Promise<void> | undefined => {
    const result = onProgress?.({ received, total, elapsed: performance.now() - startedAt });
    if (result instanceof Promise) waitFor(result);
    return pending;
  };
  return {
    keepBytes,
    begin(response, url, start, charset) {
      startedAt = start;
      total = lengthOf(response);
      progress.received = 0;
      if (total !== undefined) progress.total = total;
      const result = onHeaders?.(headOf(response, url, charset));
      if (result instanceof Promise) waitFor(result);
    },
    async chunk(bytes) {
      received += bytes.byteLength;
      progress.received = received;
      const reported = report();
      if (reported !== undefined) await reported;
      // The result is dropped: only streams stop a body by returning false.
      await onChunk?.(bytes);
    },
    end: report,
  };
}

/** Status and headers as plain data. */
export function headOf(response: HeadSource, url: string, charset?: string): ResponseHead {
  const { status, statusText, headers } = response;
  const mediaType = parseMediaType(headers.get("content-type")).essence;
  return { url, status, statusText, headers, mediaType, charset };
}

/**
 * Reads the body of the final response.
 *
 * @param start When the request was sent, from `performance.now()`.
 * @throws What a hook throws.
 */
export async function receiveBody(
  send: Send,
  response: Response,
  start: number,
): Promise<ReadBody> {
  const { deadline, observer } = send;
  const { maxBodyBytes, isTimed, charset } = send.settings;
  // Such a body takes as long as its consumer does.
  const isHooked = observer?.keepBytes !== undefined && !isTimed;
  if (observer?.isConsumed || isHooked || isEndless(response)) deadline.lift();
  if (observer === undefined)
    return asStopped(
      send,
      response,
      await readBody(response, maxBodyBytes, undefined, deadline.signal),
    );
  const learning = learnWhileReading(observer, send.context.secrets);
  try {
    learning.begin(response, send.hop.url.href, start, charset);
  } catch (error) {
    response.body?.cancel().catch(() => undefined);
    throw error;
  }
  const read = await readBody(response, maxBodyBytes, learning, deadline.signal);
  const body = asStopped(send, response, read);
  await learning.end(body.failure === undefined && body.stopped === undefined);
  return body;
}

/** An abort is the normal end of a stream: what was received is the response. */
function asStopped({ deadline, observer }: Send, response: Response, read: ReadBody): ReadBody {
  if (read.failure === undefined || deadline.stop?.kind !== "aborted") return read;
  if (!observer?.mayStop && !isStream(response)) return read;
  return { ...read, failure: undefined, stopped: true };
}

/** Why an exchange has only the beginning of a body that was received without a failure. */
interface CutReason {
  readonly text: string;
  /** Whether a person has to know: something is missing that nobody else has. */
  readonly isWarning: boolean;
}

/** How the reason of a response that an abort has ended begins. */
export const STOPPED = "The response was stopped";

/** Why the exchange has only the beginning of a body, or `undefined` if it has all of it. */
export function cutReasonOf(
  { deadline: { stop }, observer }: Send,
  response: Response,
  { content, cut, received, stopped }: ReadBody,
): CutReason | undefined {
  if (stopped) {
    const reason = stop?.kind === "aborted" ? abortDetail(stop.reason) : "";
    const text = `${STOPPED}${reason} after ${received} bytes: it may be incomplete`;
    return { text, isWarning: true };
  }
  if (!cut) return undefined;
  const kept = content.length;
  if (observer?.keepBytes !== undefined) {
    if (observer.isConsumed) {
      return { text: `The exchange keeps ${kept} of its ${received} bytes`, isWarning: false };
    }
    const text = `The body was passed to onChunk: the exchange keeps ${kept} of its ${received} bytes`;
    return { text, isWarning: true };
  }
  const length = lengthOf(response);
  const whole = length === undefined ? "" : ` of ${length}`;
  const text = `The body was cut after ${kept}${whole} bytes; maxBodyBytes sets the limit`;
  return { text, isWarning: true };
}

/** Whether a response may never end, so that no default time limit applies to its body. */
function isEndless({ headers }: Response): boolean {
  const kind = streamKind(parseMediaType(headers.get("content-type")).essence);
  return kind === "events" || kind === "lines";
}

/** Whether a response that is aborted halfway is kept as it is: a stream, or text without a known length. */
function isStream(response: Response): boolean {
  if (isEndless(response)) return true;
  const { headers } = response;
  const { essence } = parseMediaType(headers.get("content-type"));
  const isText = essence.startsWith("text/") && essence !== "text/html";
  return isText && !headers.has("content-length");
}
