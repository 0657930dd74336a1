import ky, { HTTPError, type Options as KyOptions } from "ky";
import { isStreamed } from "../bodies/mod.ts";
import { CredentialError } from "../credentials/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { Arrival } from "./arrival/hooks.ts";
import { asStopped, receiveBody, remarksOnBody } from "./arrival/receive.ts";
import { createExchange } from "./create-exchange.ts";
import type { Deadline } from "./deadline.ts";
import { type NoResponseError, UnsendableRequestError } from "./errors.ts";
import type { Exchange, Redirect, SentRequest } from "./exchange.ts";
import { type HopStep, prepareHop, receiveHop, type Tell } from "./hop-steps.ts";
import { noResponse, type Reason } from "./no-response.ts";
import { type PreparedRequest, toByteString } from "./prepare.ts";
import { drainBody } from "./read-body.ts";
import { type Hop, isRedirect, nextHop } from "./redirect.ts";
import { type RetryOptions, toKyRetry } from "./retry.ts";
import type { Show } from "./show.ts";
import { isStaleConnection } from "./stale-connection.ts";
import { statusClass } from "./status-class.ts";

/** How a request is sent, everything decided. */
export interface Sending {
  readonly deadline: Deadline;
  readonly redirect: "follow" | "manual" | "error";
  readonly maxRedirects: number;
  readonly maxBodyBytes: number;
  /** When and how often ky may try again. */
  readonly retry: RetryOptions & { readonly limit: number };
  readonly fetch: typeof fetch;
  readonly show: Show;
  readonly secrets: readonly Secrets[];
  /** Who watches the answer come, if anybody does. */
  readonly arrival: Arrival | undefined;
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
  let { sent } = prepared;
  const redirects: Redirect[] = [];
  const warnings = [...prepared.warnings];
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
    let response: Response;
    try {
      // Awaited only where there is something to wait for: every request passes here.
      const preparing = prepareHop(hop, sending.steps, tell);
      const dressed = preparing instanceof Promise ? await preparing : preparing;
      const first = { hop: dressed, response: await call(dressed, sending, tell) };
      const receiving = receiveHop(first, sending.steps, (it) => call(it, sending, tell), tell);
      const answered = receiving instanceof Promise ? await receiving : receiving;
      response = answered.response;
      if (redirects.length === 0) sent = asDressed(sent, answered.hop);
    } catch (cause) {
      if (cause instanceof UnsendableRequestError || cause instanceof CredentialError) throw cause;
      if (!isSecondTry && isStaleConnection(hop, cause, sending.answered, sending.deadline)) {
        isSecondTry = true;
        continue;
      }
      throw fail(hop, { kind: "failed", cause });
    }
    sending.answered.add(hop.url.origin);
    isSecondTry = false;
    const redirect = redirectOf(hop, response, sending);
    if (redirect) {
      if (sending.redirect === "error") throw fail(hop, { kind: "redirected", redirect });
      const next = nextHop(hop, redirect.status, redirect.location);
      warnings.push(...next.warnings);
      if (next.kind === "hop") {
        redirects.push(redirect);
        await drainBody(response);
        if (redirects.length > sending.maxRedirects)
          throw fail(hop, { kind: "too-many-redirects" });
        hop = next.hop;
        continue;
      }
    }
    const headers = performance.now() - start;
    const read = await receiveBody(response, sending, hop.url.href, start);
    const body = asStopped(read, response, sending);
    const exchange = createExchange({
      request: sent,
      url: hop.url.href,
      response,
      content: body.content,
      cut: body.cut || body.stopped === true || body.failure !== undefined,
      timing: { startedAt, headers, total: performance.now() - start },
      redirects,
      warnings: [
        ...warnings,
        ...remarksOnBody(response, body, sending),
        ...warningsOf(response, body.content.length),
      ],
      secrets: sending.secrets,
      show: sending.show,
    });
    if (!body.failure) return exchange;
    throw fail(hop, { kind: "cut-short", cause: body.failure.cause }, exchange);
  }
}

/**
 * One request over the network. ky neither throws on a status nor follows a redirect; it decides
 * whether and when there is another attempt. The body goes to fetch alone: ky clones what it is
 * given for a next attempt, which would make a stream of every body and keep all of a streamed one.
 */
function call(hop: Hop, sending: Sending, tell: Tell): Promise<Response> {
  const { retry, deadline } = sending;
  const options: KyOptions = {
    method: hop.method,
    redirect: "manual",
    timeout: false,
    retry: 0,
    throwHttpErrors: false,
    fetch: (input) => {
      checkMethod(hop.method, input);
      // The signal too: ky would join it with one of its own at some cost.
      return sending.fetch(input, initOf(hop.body, deadline.signal));
    },
  };
  if (hop.headers.length > 0 || isStreamed(hop.body)) options.headers = toHeaders(hop);
  return retry.limit > 0 ? callAgain(hop, options, sending, tell) : ky(hop.url, options);
}

/** The same with attempts, of which more than one is told. */
async function callAgain(
  hop: Hop,
  { fetch: attempt, ...options }: KyOptions,
  { retry, deadline }: Sending,
  tell: Tell,
): Promise<Response> {
  const attempts: string[] = [];
  try {
    return await ky(hop.url, {
      ...options,
      retry: toKyRetry(retry) as KyOptions["retry"] & object,
      // Only by its HTTPError does ky try a status again; in the end the response is in the error.
      throwHttpErrors: true,
      signal: deadline.signal,
      fetch: (input, init) => noteAttempt((attempt ?? fetch)(input, init), attempts),
    });
  } catch (error) {
    if (error instanceof HTTPError) return error.response;
    throw error;
  } finally {
    if (attempts.length > 1) tell(`Sent ${attempts.length} times: ${attempts.join(", then ")}`);
  }
}

async function noteAttempt(answer: Promise<Response>, attempts: string[]): Promise<Response> {
  const index = attempts.push("no answer") - 1;
  const response = await answer;
  attempts[index] = String(response.status);
  return response;
}

/** The request as it went out, with what the steps added. */
function asDressed(sent: SentRequest, hop: Hop): SentRequest {
  if (hop.headers === sent.headers && hop.url.href === sent.url) return sent;
  const known = new Set(sent.headers.map(([name]) => name.toLowerCase()));
  const added = hop.headers.map(([name]) => name).filter((it) => !known.has(it.toLowerCase()));
  return { ...sent, url: hop.url.href, headers: hop.headers, added: [...sent.added, ...added] };
}

/** Bun 1.4 makes a GET of every method that it does not know, without a word. */
function checkMethod(method: string, input: unknown): void {
  if (!(input instanceof Request) || input.method.toUpperCase() === method.toUpperCase()) return;
  throw new UnsendableRequestError(
    `Cannot send the method "${method}": this runtime would send ${input.method} instead; ` +
      "Node and Deno send every method",
  );
}

/** What fetch gets beside ky's request; a streamed body is opened anew for every attempt. */
function initOf(body: Hop["body"], signal: AbortSignal): RequestInit {
  if (body === undefined) return { signal };
  if (!isStreamed(body)) return { signal, body };
  // `duplex` is asked for by every runtime and missing in the types of the DOM.
  return { signal, body: body.stream(), duplex: "half" } as RequestInit;
}

function toHeaders({ headers: list, body }: Hop): Headers {
  const headers = new Headers();
  // Without it the body goes out in chunks, which some servers refuse; Deno 2.9 does so all the same.
  if (isStreamed(body) && body.size !== undefined) {
    headers.set("content-length", String(body.size));
  }
  const cookies: string[] = [];
  for (const [name, value] of list) {
    // Deno joins repeated Cookie headers with a comma, which no server splits again.
    if (name.toLowerCase() === "cookie") cookies.push(toByteString(value));
    else headers.append(name, toByteString(value));
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  return headers;
}

function redirectOf(hop: Hop, response: Response, sending: Sending): Redirect | undefined {
  if (sending.redirect === "manual" || !isRedirect(response)) return undefined;
  return {
    method: hop.method,
    url: hop.url.href,
    status: response.status,
    statusText: response.statusText,
    statusClass: statusClass(response.status),
    location: response.headers.get("location") ?? "",
  };
}

function warningsOf(response: Response, length: number): string[] {
  const warnings: string[] = [];
  const encoding = response.headers.get("content-encoding");
  // Deno 2.9 leaves deflate as it is, Node 20 zstd: only then are there as many bytes as were sent.
  const untouched = response.headers.get("content-length") === String(length);
  if (encoding && untouched && length > 0 && encoding.toLowerCase() !== "identity") {
    warnings.push(`The body is still compressed: this runtime does not know "${encoding}"`);
  }
  return warnings;
}
