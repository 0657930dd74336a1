import ky, { HTTPError, type Options as KyOptions } from "ky";
import { isStreamed } from "../bodies/mod.ts";
import { CredentialError } from "../credentials/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { Arrival } from "./arrival/hooks.ts";
import { asStopped, receiveBody, remarksOnBody } from "./arrival/receive.ts";
import { createExchange } from "./create-exchange.ts";
import type { Deadline } from "./deadline.ts";
import { type NoResponseError, UnsendableRequestError } from "./errors.ts";
import type { Exchange, Redirect } from "./exchange.ts";
import { methodOf, outgoingHeaders } from "./fetch-init.ts";
import type { Hop } from "./hop.ts";
import { asDressed, type HopStep, prepareHop, receiveHop, type Tell } from "./hop-steps.ts";
import type { ResponseMessage, SendMessage } from "./message.ts";
import { noResponse, type Reason } from "./no-response.ts";
import type { OriginRule } from "./origin-rule.ts";
import type { PreparedRequest } from "./prepare.ts";
import { drainBody } from "./read-body.ts";
import { isRedirect, nextHop } from "./redirect.ts";
import { toKyRetry } from "./retry.ts";
import type { Settings } from "./settings.ts";
import type { Show } from "./show.ts";
import { isStaleConnection } from "./stale-connection.ts";
import { statusClass } from "./status-class.ts";

/** How a request is sent, everything decided. */
export interface Sending {
  readonly settings: Settings;
  readonly deadline: Deadline;
  readonly dispatch: SendMessage;
  readonly show: Show;
  readonly secrets: readonly Secrets[];
  /** Who watches the answer come, if anybody does. */
  readonly arrival: Arrival | undefined;
  /** Where its secrets may go. */
  readonly origin: OriginRule;
  /** What each hop passes on its way. */
  readonly steps: readonly HopStep[];
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
  const { settings } = sending;
  const { warnings } = prepared;
  let { sent } = prepared;
  const redirects: Redirect[] = [];
  const fail = (hop: Hop, reason: Reason, partial?: Exchange): NoResponseError =>
    noResponse({
      request: sent,
      hop,
      redirects,
      reason: sending.deadline.stop ?? reason,
      partial,
      secrets: sending.secrets,
    });

  const tell = (warning: string): void => void warnings.push(warning);
  let hop: Hop = {
    method: sent.method,
    url: prepared.url,
    headers: sent.headers,
    body: prepared.body,
  };
  let isSecondTry = false;
  for (;;) {
    let response: ResponseMessage | undefined;
    try {
      // Awaited only where there is something to wait for: every request passes here.
      const preparing = prepareHop(hop, sending.steps, tell);
      const dressed = preparing instanceof Promise ? await preparing : preparing;
      response = await call(dressed, sending, tell);
      const first = { hop: dressed, response };
      const receiving = receiveHop(first, sending.steps, (it) => call(it, sending, tell), tell);
      const answered = receiving instanceof Promise ? await receiving : receiving;
      response = answered.response;
      if (redirects.length === 0) sent = asDressed(sent, answered.hop);
    } catch (cause) {
      if (response !== undefined) void drainBody(response);
      if (cause instanceof UnsendableRequestError || cause instanceof CredentialError) throw cause;
      if (isStaleConnection(hop, cause, sending.answered, sending.deadline, isSecondTry)) {
        isSecondTry = true;
        continue;
      }
      const broken = isStreamed(hop.body) ? hop.body.failure : undefined;
      throw fail(hop, { kind: "failed", cause: broken ?? cause });
    }
    sending.answered.add(hop.url.origin);
    isSecondTry = false;
    const redirect = redirectOf(hop, response, sending);
    if (redirect) {
      if (settings.redirect === "error") {
        void drainBody(response);
        throw fail(hop, { kind: "redirected", redirect });
      }
      const next = await nextHop(hop, redirect, sending.origin.whyNoBody);
      if (next.kind === "answer") tell(next.warning);
      else {
        redirects.push(redirect);
        await drainBody(response);
        if (redirects.length > settings.maxRedirects)
          throw fail(hop, { kind: "too-many-redirects" });
        hop = next.hop;
        continue;
      }
    }
    const headers = performance.now() - start;
    const read = await receiveBody(response, sending, hop.url.href, start);
    const body = asStopped(read, response, sending);
    warnings.push(...remarksOnBody(response, body, sending));
    if (isStillCompressed(response, body.content.length)) {
      const encoding = response.headers.get("content-encoding");
      warnings.push(`The body is still compressed: this runtime does not know "${encoding}"`);
    }
    const exchange = createExchange({
      request: sent,
      url: hop.url.href,
      response,
      content: body.content,
      cut: body.cut || body.stopped === true || body.failure !== undefined,
      timing: { startedAt, headers, total: performance.now() - start },
      redirects,
      warnings,
      secrets: sending.secrets,
      show: sending.show,
    });
    if (!body.failure) return exchange;
    throw fail(hop, { kind: "cut-short", cause: body.failure.cause }, exchange);
  }
}

/** Sends a request once, in ky's name: of the request that ky has made, the method is enough. */
type Attempt = (made: unknown) => Promise<ResponseMessage>;

/**
 * One request over the network. ky neither throws on a status nor follows a redirect; it decides
 * whether and when there is another attempt, and for that the method is enough. All else goes past
 * it: ky would copy the headers four times, clone the body for a next attempt, which makes a stream
 * of every body and keeps all of a streamed one, and join the signal with one of its own.
 */
function call(hop: Hop, sending: Sending, tell: Tell): Promise<ResponseMessage> {
  const { deadline, settings } = sending;
  const { url, body } = hop;
  const headers = outgoingHeaders(hop);
  const attempt: Attempt = (made) =>
    sending.dispatch({ method: methodOf(hop, made), url, headers, body, cancellation: deadline });
  return settings.retry.limit > 0 ? callAgain(hop, attempt, sending, tell) : callOnce(hop, attempt);
}

/** Where a hook has the answer, ky makes no second request for a next attempt. */
async function callOnce({ method, url }: Hop, attempt: Attempt): Promise<ResponseMessage> {
  let answer: ResponseMessage | undefined;
  const beforeRequest = async (made: Request): Promise<Response> => {
    answer = await attempt(made);
    return placeholder();
  };
  await ky(url, {
    method,
    timeout: false,
    retry: 0,
    throwHttpErrors: false,
    hooks: { beforeRequest: [beforeRequest] },
    // For V8 (Node 20): with it the options that ky 1.14 merges stay an object of the quick kind, and
    // each request allocates 2.4 of 80 kB less.
    context: {},
  });
  return answer as ResponseMessage;
}

/** The same with attempts, of which more than one is told. */
async function callAgain(
  { method, url }: Hop,
  attempt: Attempt,
  { settings: { retry }, deadline }: Sending,
  tell: Tell,
): Promise<ResponseMessage> {
  const attempts: string[] = [];
  let answer: ResponseMessage | undefined;
  try {
    await ky(url, {
      method,
      timeout: false,
      retry: toKyRetry(retry) as KyOptions["retry"] & object,
      // Only by its HTTPError does ky try a status again; in the end there is an answer all the same.
      throwHttpErrors: true,
      signal: deadline.signal,
      fetch: async (made) => {
        if (answer !== undefined) void drainBody(answer);
        answer = undefined;
        const index = attempts.push("no answer") - 1;
        answer = await attempt(made);
        attempts[index] = String(answer.status);
        return headOnly(answer);
      },
    });
  } catch (error) {
    if (!(error instanceof HTTPError)) throw error;
  } finally {
    if (attempts.length > 1) tell(`Sent ${attempts.length} times: ${attempts.join(", then ")}`);
  }
  return answer as ResponseMessage;
}

let answered: Response | undefined;

/** What ky gets where it has nothing to decide: of an answer, that there is one. */
function placeholder(): Response {
  answered ??= new Response();
  return answered;
}

/** What ky gets to decide by, whatever the status: a constructor takes none but 200 to 599. */
function headOnly({ status, headers }: ResponseMessage): Response {
  const head = new Response(null, { headers });
  Object.defineProperty(head, "status", { value: status });
  return Object.defineProperty(head, "ok", { value: status >= 200 && status <= 299 });
}

function redirectOf(hop: Hop, response: ResponseMessage, sending: Sending): Redirect | undefined {
  if (sending.settings.redirect === "manual" || !isRedirect(response)) return undefined;
  return {
    method: hop.method,
    url: hop.url.href,
    status: response.status,
    statusText: response.statusText,
    statusClass: statusClass(response.status),
    location: response.headers.get("location") ?? "",
  };
}

/** Deno 2.9 leaves deflate as it is, Node 20 zstd: only then are there as many bytes as were sent. */
function isStillCompressed({ headers }: ResponseMessage, length: number): boolean {
  const encoding = headers.get("content-encoding");
  if (!encoding || encoding.toLowerCase() === "identity") return false;
  return length > 0 && headers.get("content-length") === String(length);
}
