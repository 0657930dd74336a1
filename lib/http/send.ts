import type { Exchange, Show } from "../exchange/mod.ts";
import { createExchange, learnRequest, UnsendableRequestError } from "../exchange/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { callKy, HookError } from "./call-ky.ts";
import { CredentialError } from "./middleware/credentials/authorizer/mod.ts";
import {
  asSent,
  followRedirects,
  recordSent,
  retryStaleConnections,
  type Trip,
} from "./middleware/mod.ts";
import type { OriginRule } from "./origin-rule.ts";
import { isStreamed } from "./request/bodies/mod.ts";
import type { PreparedRequest } from "./request/mod.ts";
import { compose, type Middleware, type Tell } from "./request/mod.ts";
import type { BodyObserver } from "./response/mod.ts";
import { cutReasonOf, noResponse, type Reason, receiveBody } from "./response/mod.ts";
import type { Deadline, Settings } from "./transport/mod.ts";
import { type KyDefaults, kyOptionsOf, RedirectError, sendBy } from "./transport/mod.ts";

/** How a request is sent, everything decided. */
export interface Sending {
  readonly settings: Settings;
  readonly deadline: Deadline;
  readonly ky: KyDefaults;
  /** What each hop leaves by. */
  readonly fetch: typeof fetch;
  readonly show: Show;
  readonly secrets: readonly Secrets[];
  /** Who watches the answer come, if anybody does. */
  readonly arrival: BodyObserver | undefined;
  /** Where its secrets may go. */
  readonly origin: OriginRule;
  /** What adds cookies and credentials to each hop. */
  readonly middleware: readonly Middleware[];
  /** The origins that have answered, to which a connection may be kept. */
  readonly answered: Set<string>;
}

/**
 * Sends a request and follows its redirects.
 *
 * @throws {NoResponseError} There is no response, or not a whole one.
 */
export async function sendRequest(prepared: PreparedRequest, sending: Sending): Promise<Exchange> {
  const startedAt = new Date();
  const start = performance.now();
  const { deadline, ky, secrets, settings } = sending;
  const { warnings } = prepared;
  const tell: Tell = (warning) => void warnings.push(warning);
  const trip = beginTrip(prepared);
  let response: Response;
  try {
    const send = chainOf(trip, sending, tell);
    const { signal } = deadline;
    response = await callKy(prepared, { ky, signal, retry: settings.retry, send, tell });
  } catch (cause) {
    if (cause instanceof UnsendableRequestError || cause instanceof CredentialError) throw cause;
    throw fail(reasonOf(cause, trip));
  }
  const headers = performance.now() - start;
  const url = trip.hop.url.href;
  const body = await receiveBody(response, sending, url, start);
  const cutReason = cutReasonOf(response, body, sending);
  const remarks = [cutReason, sending.arrival?.remark];
  warnings.push(...remarks.filter((remark) => remark !== undefined));
  if (isStillCompressed(response, body.content.length)) {
    const encoding = response.headers.get("content-encoding");
    warnings.push(`The body is still compressed: this runtime does not know "${encoding}"`);
  }
  const exchange = createExchange({
    request: sent(),
    url,
    response,
    content: body.content,
    cut: body.cut || body.stopped === true || body.failure !== undefined,
    cutReason,
    timing: { startedAt, headers, total: performance.now() - start },
    redirects: trip.redirects,
    warnings,
    secrets,
    show: sending.show,
  });
  if (!body.failure) return exchange;
  throw fail({ kind: "cut-short", cause: body.failure.cause }, exchange);

  function sent(): Exchange["request"] {
    const request = asSent(prepared, trip.sent);
    if (request !== prepared.sent) for (const store of secrets) learnRequest(request, store);
    return request;
  }

  function fail(reason: Reason, partial?: Exchange): Error {
    const { hop, redirects } = trip;
    const request = partial?.request ?? sent();
    return noResponse({
      request,
      hop,
      redirects,
      reason: deadline.stop ?? reason,
      partial,
      secrets,
    });
  }
}

function beginTrip({ sent, url, body }: PreparedRequest): Trip {
  const hop = { method: sent.method, url, headers: sent.headers, body };
  return { hop, sent: undefined, redirects: [] };
}

/** What each attempt passes on its way out, and its answer on the way back. */
function chainOf(trip: Trip, sending: Sending, tell: Tell): ReturnType<typeof compose> {
  const { settings, deadline, origin, answered, fetch } = sending;
  const {
    hooks: _hooks,
    retry: _retry,
    context: _context,
    fetch: _fetch,
    ...options
  } = kyOptionsOf(sending.ky);
  return compose(
    [
      followRedirects(settings, trip, origin.whyNoBody, tell),
      origin.middleware,
      ...sending.middleware,
      retryStaleConnections(answered, deadline.signal),
      recordSent(trip),
    ],
    sendBy(fetch, deadline.signal, options as RequestInit),
  );
}

function reasonOf(cause: unknown, { hop }: Trip): Reason {
  if (cause instanceof RedirectError) return cause.reason;
  if (cause instanceof HookError) return { kind: "hook", cause: cause.cause };
  const broken = isStreamed(hop.body) ? hop.body.failure : undefined;
  return { kind: "failed", cause: broken ?? cause };
}

/** Deno 2.9 leaves deflate as it is, Node 20 zstd: only then are there as many bytes as were sent. */
function isStillCompressed({ headers }: Response, length: number): boolean {
  const encoding = headers.get("content-encoding");
  if (!encoding || encoding.toLowerCase() === "identity") return false;
  return length > 0 && headers.get("content-length") === String(length);
}
