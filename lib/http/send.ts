import ky, { HTTPError, type Options } from "ky";
import {
  createExchange,
  detailsOf,
  type Exchange,
  learnRequest,
  type Show,
  sentHeaders,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import {
  type Attempt,
  compose,
  type HopFetch,
  type Middleware,
  recordSent,
  toExchangeHops,
  toSentRequest,
  type Warn,
  warnTo,
} from "./attempt.ts";
import { CredentialError } from "./auth/mod.ts";
import type { Deadline } from "./deadline.ts";
import { sendByFetch } from "./fetch-limits.ts";
import { defaultsOf } from "./headers.ts";
import { type KyDefaults, kyOptionsOf, toBody, toHop, toRequest } from "./ky.ts";
import { noResponse, type Reason } from "./no-response.ts";
import type { OriginRule } from "./origin-rule.ts";
import type { PreparedRequest } from "./prepare.ts";
import { type BodyObserver, drainBody } from "./read-body.ts";
import { cutReasonOf, receiveBody } from "./receive-body.ts";
import { followRedirects, RedirectError } from "./redirects.ts";
import { guardRetry, retryStaleConnections, toKyRetry } from "./retry.ts";
import { isStreamed } from "./streamed-body.ts";
import type { Settings, Transport } from "./transport.ts";

/** How a request is sent. */
interface SendContext {
  readonly settings: Settings;
  readonly deadline: Deadline;
  readonly ky: KyDefaults;
  readonly fetch: typeof fetch;
  /** Returns the headers that the fetch adds to a request. */
  readonly headersOf: Transport["headersOf"];
  readonly show: Show;
  readonly secrets: readonly Secrets[];
  readonly observer: BodyObserver | undefined;
  readonly origin: OriginRule;
  /** Adds cookies and credentials to each hop. */
  readonly middleware: readonly Middleware[];
  /** Origins that have responded: connections to them may be kept alive. */
  readonly answered: Set<string>;
}

/**
 * Sends a request and follows its redirects.
 *
 * @throws {NoResponseError} There is no response, or its body is incomplete.
 */
export async function sendRequest(
  prepared: PreparedRequest,
  context: SendContext,
): Promise<Exchange> {
  const startedAt = new Date();
  const start = performance.now();
  const { deadline, ky, secrets, settings } = context;
  const { warnings, notes } = prepared;
  const warn = warnTo(prepared);
  const attempt = startAttempt(prepared);
  let response: Response;
  try {
    const send = createHopFetch(attempt, context, warn);
    const { signal } = deadline;
    response = await callKy(prepared, { ky, signal, retry: settings.retry, send, warn });
  } catch (cause) {
    if (cause instanceof UnsendableRequestError || cause instanceof CredentialError) throw cause;
    throw fail(reasonOf(cause, attempt));
  }
  const headers = performance.now() - start;
  const url = attempt.hop.url.href;
  const body = await receiveBody(response, context, url, start);
  const cutReason = cutReasonOf(response, body, context);
  if (cutReason !== undefined) warnings.push(cutReason);
  const { warning, note } = context.observer ?? {};
  if (warning !== undefined) warnings.push(warning);
  if (note !== undefined) notes.push(note);
  if (isStillCompressed(response, body.content.length)) {
    const encoding = response.headers.get("content-encoding");
    warnings.push(`The body is still compressed: this runtime does not support "${encoding}"`);
  }
  const exchange = createExchange({
    request: requestAsSent(),
    url,
    response,
    content: body.content,
    cut: body.cut || body.stopped === true || body.failure !== undefined,
    cutReason,
    connection: detailsOf(response),
    timing: { startedAt, headers, total: performance.now() - start },
    redirects: attempt.redirects,
    hops: toExchangeHops(attempt, prepared, (hop) =>
      sentHeaders({ headers: hop.headers, defaults: defaultsOf(hop, context.headersOf) }),
    ),
    warnings,
    notes,
    secrets,
    show: context.show,
  });
  if (!body.failure) return exchange;
  throw fail({ kind: "cut-short", cause: body.failure.cause }, exchange);

  function requestAsSent(): Exchange["request"] {
    const request = toSentRequest(prepared, attempt.sent);
    if (request !== prepared.sent) for (const store of secrets) learnRequest(request, store);
    if (attempt.sent === undefined) return request;
    return { ...request, defaults: defaultsOf(attempt.sent, context.headersOf) };
  }

  function fail(reason: Reason, partial?: Exchange): Error {
    return noResponse({
      request: partial?.request ?? requestAsSent(),
      hop: attempt.hop,
      redirects: attempt.redirects,
      reason: deadline.stop ?? reason,
      partial,
      secrets,
    });
  }
}

function startAttempt({ sent, url, body }: PreparedRequest): Attempt {
  const hop = { method: sent.method, url, headers: sent.headers, body };
  return { hop, sent: undefined, redirects: [], answered: [] };
}

/** The fetch of one attempt, with all middleware around it. */
function createHopFetch(attempt: Attempt, context: SendContext, warn: Warn): HopFetch {
  const { settings, deadline, origin, answered, fetch } = context;
  const {
    hooks: _hooks,
    retry: _retry,
    context: _context,
    fetch: _fetch,
    ...options
  } = kyOptionsOf(context.ky);
  return compose(
    [
      followRedirects(settings, attempt, origin.bodyRefusal, warn),
      origin.middleware,
      ...context.middleware,
      retryStaleConnections(answered, deadline.signal),
      recordSent(attempt),
    ],
    sendByFetch(fetch, deadline.signal, options as RequestInit),
  );
}

function reasonOf(cause: unknown, { hop }: Attempt): Reason {
  if (cause instanceof RedirectError) return cause.reason;
  if (cause instanceof HookError) return { kind: "hook", cause: cause.cause };
  const bodyFailure = isStreamed(hop.body) ? hop.body.failure : undefined;
  return { kind: "failed", cause: bodyFailure ?? cause };
}

/**
 * Whether the runtime did not decompress the body: Deno 2.9 does not know deflate, Node 20 not zstd. Only
 * then is the body as long as its Content-Length.
 */
function isStillCompressed({ headers }: Response, length: number): boolean {
  const encoding = headers.get("content-encoding");
  if (!encoding || encoding.toLowerCase() === "identity") return false;
  return length > 0 && headers.get("content-length") === String(length);
}

/** A function among the user's ky options has thrown; `cause` is what it threw. */
class HookError extends Error {
  override readonly name = "HookError";
}

interface KyCall {
  readonly ky: KyDefaults;
  readonly signal: AbortSignal;
  readonly retry: Settings["retry"];
  /** Sends one attempt with its redirects. */
  readonly send: HopFetch;
  readonly warn: Warn;
}

/**
 * Sends a request with ky, which calls the hooks and decides about retries. No status is an error.
 *
 * @throws {HookError} A hook has thrown.
 * @throws What `send` throws.
 */
async function callKy(
  prepared: PreparedRequest,
  { ky: defaults, signal, retry, send, warn }: KyCall,
): Promise<Response> {
  const original = toRequest(prepared);
  const body = toBody(prepared);
  const options = kyOptionsOf(defaults);
  const attempts: string[] = [];
  let latest: Response | undefined;
  let failure: { readonly cause: unknown } | undefined;
  const fetch: unknown = async (request: Request): Promise<Response> => {
    if (latest !== undefined) void drainBody(latest);
    latest = undefined;
    failure = undefined;
    const index = attempts.push("no response") - 1;
    try {
      latest = await send(await toHop(request, original, prepared));
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
    attempts[index] = String(latest.status);
    return latest;
  };
  try {
    const response: Response | undefined = await ky(original, {
      ...options,
      ...(body === undefined ? {} : { body }),
      fetch,
      signal,
      retry: retry === undefined ? guardRetry(options.retry) : toKyRetry(retry),
      redirect: "manual",
      timeout: false,
      // Only for an HTTPError does ky retry a status and call `beforeError`.
      throwHttpErrors: true,
    } as Options);
    // ky returns nothing when a hook stops the retries.
    const answer = response ?? latest;
    if (answer === undefined) throw failure?.cause ?? new Error("a hook stopped the retries");
    if (attempts.length === 0) warn("Nothing was sent: a beforeRequest hook returned the response");
    return answer;
  } catch (error) {
    // An HTTPError of another call comes from a hook that uses ky itself.
    if (error instanceof HTTPError && (error.options as Options).fetch === fetch) {
      return error.response;
    }
    const isFromSend = failure?.cause === error || Object.keys(options).length === 0;
    throw isFromSend ? error : new HookError("A hook of ky failed", { cause: error });
  } finally {
    if (attempts.length > 1)
      warn(`Sent ${attempts.length} times: ${attempts.join(", then ")}`, "info");
  }
}
