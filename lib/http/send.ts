import type { Exchange, Show } from "../exchange/mod.ts";
import {
  createExchange,
  detailsOf,
  learnRequest,
  sentHeaders,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { callKy, HookError } from "./call-ky.ts";
import { CredentialError } from "./middleware/credentials/authorizer/mod.ts";
import {
  type Attempt,
  followRedirects,
  recordSent,
  retryStaleConnections,
  toExchangeHops,
  toSentRequest,
} from "./middleware/mod.ts";
import type { OriginRule } from "./origin-rule.ts";
import { isStreamed } from "./request/bodies/mod.ts";
import type { HopFetch, PreparedRequest } from "./request/mod.ts";
import { compose, type Middleware, type Warn, warnTo } from "./request/mod.ts";
import type { BodyObserver } from "./response/mod.ts";
import { cutReasonOf, noResponse, type Reason, receiveBody } from "./response/mod.ts";
import type { Deadline, Settings, Transport } from "./transport/mod.ts";
import {
  defaultsOf,
  type KyDefaults,
  kyOptionsOf,
  RedirectError,
  sendByFetch,
} from "./transport/mod.ts";

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
