import { type AssertionResult, isFailedAssertion } from "../assertions/mod.ts";
import { type Fault, type Faulty, summarizeFaults } from "../interpolation/mod.ts";
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
  | "not-recorded"
  | "not-mocked"
  | "unreachable";

/** The details of a {@link NoResponseError}. */
export interface NoResponseDetails {
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** The redirects that were followed before the failure. */
  readonly redirects: readonly Redirect[];
  /** Why there is no response, without the request and advice: `the connection was refused`. */
  readonly reason?: string | undefined;
  /** The error of the runtime, or the reason of an abort. */
  readonly cause?: unknown;
  /** The incomplete exchange, if the response ended inside its body. */
  readonly partial?: Exchange | undefined;
}

/** The names that the errors of `fetch` have, by which programs tell them. */
const NAMES: Partial<Record<NoResponseCode, string>> = {
  aborted: "AbortError",
  "timed-out": "TimeoutError",
};

/**
 * There is no complete response: the server could not be reached, the request timed out or was aborted,
 * or the response ended early. A status such as 404 is never the reason.
 *
 * @example
 * ```ts
 * const signal = AbortSignal.abort();
 * const lost = await client.send("GET http://127.0.0.1:8787/", { signal }).catch((error) => error);
 * lost instanceof NoResponseError; // true
 * [lost.code, lost.name]; // ["aborted", "AbortError"]
 * ```
 */
export class NoResponseError extends Error {
  /** `AbortError` and `TimeoutError` as with `fetch`, `NoResponseError` for all other reasons. */
  override readonly name: string;
  /** Why there is no response, for programs. */
  readonly code: NoResponseCode;
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** The redirects that were followed before the failure. */
  readonly redirects: readonly Redirect[];
  /** Why there is no response, without the request and advice: `the connection was refused`. */
  declare readonly reason?: string | undefined;
  /** The incomplete exchange, if the response ended inside its body. */
  declare readonly partial?: Exchange | undefined;

  /**
   * Creates the error.
   *
   * @param code Why there is no response, for programs.
   * @param message Why there is no response, and what to do.
   * @param details The request and other details.
   */
  constructor(code: NoResponseCode, message: string, details: NoResponseDetails) {
    super(message, { cause: details.cause });
    // The reason of `AbortSignal.timeout`.
    const isTimeout = Object(details.cause).name === "TimeoutError";
    this.name =
      code === "aborted" && isTimeout ? "TimeoutError" : (NAMES[code] ?? "NoResponseError");
    this.code = code;
    this.request = details.request;
    this.redirects = details.redirects;
    if (details.reason !== undefined) this.reason = details.reason;
    if (details.partial) this.partial = details.partial;
  }
}

/**
 * The status of a response is not 200 to 299, which `exchange.orThrow()` throws.
 *
 * @example
 * ```ts
 * const missing = await client.send("GET http://127.0.0.1:8787/users/999");
 * const error = await (async () => missing.orThrow())().catch((thrown) => thrown);
 * error instanceof StatusError; // true
 * error.status; // 404
 * ```
 */
export class StatusError extends Error {
  /** Always `StatusError`. */
  override readonly name = "StatusError";
  /** The status code. */
  readonly status: number;
  /** The exchange. */
  declare readonly exchange: Exchange;

  /**
   * Creates the error.
   *
   * @param message The request and the status.
   * @param exchange The exchange.
   */
  constructor(message: string, exchange: Exchange) {
    super(message);
    this.status = exchange.status;
    // A logger copies what is enumerable.
    Object.defineProperty(this, "exchange", { value: exchange });
  }
}

/**
 * The response is complete, and at least one assertion of the request has failed. All assertions were
 * evaluated; the exchange contains their results.
 *
 * @example
 * ```ts
 * const failed = await client.send("GET http://127.0.0.1:8787/users\n?? status == 404").catch((error) => error);
 * failed instanceof AssertionError; // true
 * failed.exchange.status; // 200
 * failed.results.map(({ expected, actual }) => [expected, actual]); // [["404", "200"]]
 * ```
 */
export class AssertionError extends Error implements Faulty {
  /** Always `AssertionError`. */
  override readonly name = "AssertionError";
  /** The exchange with the results of all assertions. */
  readonly exchange: Exchange;
  /** The results of the assertions that failed. */
  readonly results: readonly AssertionResult[];
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** The failed assertions with their positions. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error; its message lists the failed assertions.
   *
   * @param exchange The exchange with the results of all assertions.
   * @param source The text that the spans of the faults refer to.
   * @param faults The failed assertions with their positions.
   */
  constructor(exchange: Exchange, source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.exchange = exchange;
    this.results = exchange.assertions.filter(isFailedAssertion);
    this.source = source;
    this.faults = faults;
  }
}

/** A script before a request has failed. The request was not sent. */
export class ScriptError extends Error implements Faulty {
  /** Always `ScriptError`. */
  override readonly name = "ScriptError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** The script with its position. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults The script with its position.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * A request was refused before anything was sent: it has a body on GET that the fetch of the client refuses, a method
 * that fetch forbids, an invalid URL, or a scheme other than http and https.
 */
export class UnsendableRequestError extends TypeError {
  /** Always `UnsendableRequestError`. */
  override readonly name = "UnsendableRequestError";
}

/** A recording or a mock has no response for a request. */
export class UnansweredError extends Error {
  /** Always `UnansweredError`. */
  override readonly name = "UnansweredError";
  /** Which of both it is. */
  readonly code: "not-recorded" | "not-mocked";
  /** What is missing. */
  readonly reason: string;
  /** What to do, and which requests are answered instead. */
  readonly advice: string;

  /**
   * Creates the error.
   *
   * @param code Which of both it is.
   * @param reason What is missing; it has nothing of the request, whose secrets only its client knows.
   * @param advice What to do.
   */
  constructor(code: UnansweredError["code"], reason: string, advice: string) {
    super(`${reason}. ${advice}`);
    this.code = code;
    this.reason = reason;
    this.advice = advice;
  }
}

const CALLS = new WeakMap<Error, object>();

/** Notes whose stack an error has: that of a call of the client. */
export function noteCall(error: Error, call: object): void {
  CALLS.set(error, call);
}

/** The call of the client whose stack an error has, if it left the client. */
export function callOf(error: object): object | undefined {
  return CALLS.get(error as Error);
}
