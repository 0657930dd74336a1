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
  | "too-many-redirects"
  | "redirected"
  | "cut-short"
  | "protocol"
  | "not-permitted"
  | "unreachable";

/** What is known about a request that got no response. */
export interface NoResponseDetails {
  readonly request: SentRequest;
  readonly redirects: readonly Redirect[];
  readonly cause?: unknown;
  readonly partial?: Exchange;
}

/**
 * A request was sent, or was to be sent, and no whole response came: the server could not be
 * reached, the time was over, the request was aborted, or the response ended early. A status
 * such as 404 is never a reason.
 *
 * @example
 * ```ts
 * const lost = await client.send("GET http://nosuch.invalid/").catch((error) => error);
 * lost instanceof NoResponseError; // true
 * lost.code; // "name-not-resolved"
 * ```
 */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";
  /** Why there is no response, for programs. */
  readonly code: NoResponseCode;
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** The redirects that were followed before it failed. */
  readonly redirects: readonly Redirect[];
  /** What had come, where the response broke off inside its body. */
  readonly partial?: Exchange;

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
  override readonly name = "UnsendableRequestError";
}
