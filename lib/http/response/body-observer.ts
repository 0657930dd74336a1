import { parseMediaType, type ResponseHead } from "../../exchange/mod.ts";

/** The progress of a response body. */
export interface BodyProgress {
  /** Bytes received, after decompression. */
  readonly received: number;
  /** The length of the body in bytes, if the server announces it and does not compress the body. */
  readonly total: number | undefined;
  /** Milliseconds since the request was sent. */
  readonly elapsed: number;
}

/** Callbacks while a response arrives. They are not called for redirects. */
export interface ArrivalHooks {
  /** Called once with status and headers. */
  readonly onHeaders?: (head: ResponseHead) => void;
  /** Called with each chunk of the body. If it returns a promise, the next chunk is read after it settles. */
  readonly onChunk?: (bytes: Uint8Array) => unknown;
  /**
   * How many bytes of the body the exchange keeps, if `onChunk` handles all of it. The body may then be
   * of any length, and the default timeout does not apply to it. Without it, `maxBodyBytes` ends the body.
   */
  readonly keepBytes?: number;
  /** Called with each chunk of the body, and at its end. */
  readonly onProgress?: (progress: BodyProgress) => void;
}

/** Status and headers, of a `Response` or of the record of a WebSocket. */
type HeadSource = Pick<Response, "status" | "statusText" | "headers">;

/** Observes the final response while it arrives. */
export interface BodyObserver {
  /** How many bytes of the body the exchange keeps; up to `maxBodyBytes` by default. */
  readonly keepBytes?: number | undefined;
  /** The timeout applies only until the body begins, whatever its type. */
  readonly isUntimed?: true;
  /** An abort during the body is not a failure, whatever its type. */
  readonly mayStop?: true;
  /** A warning about the body, once it has arrived. */
  readonly warning?: string | undefined;
  /** A note about the body, for information. */
  readonly note?: string | undefined;
  begin(response: HeadSource, url: string, start: number): void;
  /** Returns `false`, or a promise of it, to stop. */
  chunk(bytes: Uint8Array): unknown;
  /** @param isWhole Whether the body is complete. */
  end(isWhole: boolean): void | Promise<void>;
}

/** Receives the progress of a request, for `pending`. */
export interface TransferProgress {
  received?: number;
  total?: number;
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
  const report = (): void => {
    onProgress?.({ received, total, elapsed: performance.now() - startedAt });
  };
  return {
    keepBytes,
    begin(response, url, start) {
      startedAt = start;
      total = lengthOf(response);
      progress.received = 0;
      if (total !== undefined) progress.total = total;
      onHeaders?.(headOf(response, url));
    },
    async chunk(bytes) {
      received += bytes.byteLength;
      progress.received = received;
      report();
      // The result is dropped: only streams stop a body by returning false.
      await onChunk?.(bytes);
    },
    end: report,
  };
}

/** Status and headers as plain data. */
export function headOf(response: HeadSource, url: string): ResponseHead {
  const { status, statusText, headers } = response;
  const mediaType = parseMediaType(headers.get("content-type")).essence;
  return { url, status, statusText, headers, mediaType };
}

/** The length of a body after decompression, if it is known: Content-Length counts compressed bytes. */
export function lengthOf({ headers }: Pick<Response, "headers">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) return undefined;
  return /^(?:identity)?$/i.test(headers.get("content-encoding") ?? "")
    ? Number(length)
    : undefined;
}
