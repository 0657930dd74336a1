import type { Exchange, Redirect, SentRequest } from "./exchange.ts";

/** Why there is no response. */
export type NoResponseCode =
  | "name-not-resolved"
  | "refused"
  | "reset"
  | "timed-out"
  | "aborted"
  | "certificate"
  | "tls"
  | "proxy"
  | "too-many-redirects"
  | "redirected"
  | "cut-short"
  | "decompression"
  | "protocol"
  | "not-permitted"
  | "body"
  | "hook"
  | "unreachable";

/** What is known about a request that got no response. */
export interface NoResponseDetails {
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** The redirects that were followed before it failed. */
  readonly redirects: readonly Redirect[];
  /** What the runtime threw, or the reason of an abort. */
  readonly cause?: unknown;
  /** What had come, where the response broke off inside its body. */
  readonly partial?: Exchange;
}

/**
 * A request was sent, or was to be sent, and no whole response came: the server could not be
 * reached, the time was over, the request was aborted, or the response ended early. A status
 * such as 404 is never a reason.
 *
 * @example
 * ```ts
 * const signal = AbortSignal.abort();
 * const lost = await client.send("GET http://127.0.0.1:8787/", { signal }).catch((error) => error);
 * lost instanceof NoResponseError; // true
 * lost.code; // "aborted"
 * ```
 */
export class NoResponseError extends Error {
  /** Always `NoResponseError`. */
  override readonly name = "NoResponseError";
  /** Why there is no response, for programs. */
  readonly code: NoResponseCode;
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** The redirects that were followed before it failed. */
  readonly redirects: readonly Redirect[];
  /** What had come, where the response broke off inside its body. */
  readonly partial?: Exchange;

  /**
   * Made by a client when a request ends without a whole response.
   *
   * @param code Why there is no response, for programs.
   * @param message The same in words, and what to do.
   * @param details The request and what else is known.
   */
  constructor(code: NoResponseCode, message: string, details: NoResponseDetails) {
    super(message, { cause: details.cause });
    this.code = code;
    this.request = details.request;
    this.redirects = details.redirects;
    if (details.partial) this.partial = details.partial;
  }
}

/**
 * A request that cannot be sent at all, for a reason that is known beforehand: a body on GET, a
 * method that fetch forbids, a URL that does not parse, a scheme other than http and https.
 */
export class UnsendableRequestError extends TypeError {
  /** Always `UnsendableRequestError`. */
  override readonly name = "UnsendableRequestError";
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
