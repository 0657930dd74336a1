import {
  arrivedDetailsOf,
  detailsOf,
  type ExchangeHop,
  fromByteString,
  type HeaderList,
  isReplayed,
  sentHeaders,
} from "../exchange/mod.ts";
import { droppedHeaders } from "../fetch/mod.ts";
import type { Authorization, Authorizer } from "./auth/mod.ts";
import { isStreamed } from "./body-out.ts";
import { addStoredCookies } from "./cookies.ts";
import { explainFailure } from "./failure.ts";
import { excludeHeaders, missingDefaults } from "./headers.ts";
import { isHome, withinOrigin } from "./origin-rule.ts";
import { type Outgoing, withHeaders, withoutStream } from "./outgoing.ts";
import { discardedBody, drainBody } from "./read-body.ts";
import type { Send } from "./send.ts";
import { fetchOutgoing, INSECURE_WARNING, outgoingHeaders } from "./transport.ts";

/** A hop as it was sent. */
export interface SentHop {
  readonly outgoing: Outgoing;
  /** The headers that were sent besides: defaults, and those of the runtime. */
  readonly defaults: HeaderList;
}

/** A hop that was answered. */
export interface AnsweredHop extends SentHop {
  readonly startedAt: Date;
  /** Milliseconds until the response began. */
  readonly wait: number;
  readonly response: Response;
}

/**
 * Sends one hop with the credentials and cookies of the client, as far as its origin allows. If they were rejected,
 * it is sent once more with others.
 */
export async function sendHop(send: Send, hop: Outgoing): Promise<Response> {
  const allowed = withinOrigin(send, hop);
  if (!isHome(send, hop.url)) return await sendWithCookies(send, allowed);
  const response = await sendWithCredentials(send, allowed);
  const renewed = await withFreshTokens(send, allowed, response.status);
  if (renewed === allowed) return response;
  send.notes.push(
    "The server rejected the token of a login with 401; the request was sent again with a new one",
  );
  void drainBody(response);
  return await sendWithCredentials(send, renewed);
}

/** Adds the credentials, and answers a challenge once. */
async function sendWithCredentials(send: Send, original: Outgoing): Promise<Response> {
  const authorizer = send.credentials?.authorizer;
  const { signal } = send.deadline;
  if (authorizer === undefined) return await sendWithCookies(send, original);
  const outgoing = await authorize(original, authorizer, signal);
  const response = await sendWithCookies(send, outgoing);
  authorizer.received?.(outgoing, response);
  const answer = await authorizer.answerChallenge?.(outgoing, response, signal);
  if (answer === undefined) return response;
  if (answer.note !== undefined) send.notes.push(answer.note);
  void drainBody(response);
  const answered = await sendWithCookies(send, withAuthorization(outgoing, answer));
  authorizer.received?.(outgoing, answered);
  return answered;
}

/** Adds credentials to a request. */
export async function authorize(
  outgoing: Outgoing,
  authorizer: Authorizer,
  signal: AbortSignal | undefined,
): Promise<Outgoing> {
  return withAuthorization(outgoing, await authorizer.authorize(outgoing, signal));
}

function withAuthorization(outgoing: Outgoing, { headers, url }: Authorization): Outgoing {
  return withHeaders(url === undefined ? outgoing : { ...outgoing, url }, headers);
}

/** Replaces the tokens of logins that were rejected: the server may have revoked them before they expired. */
async function withFreshTokens(
  { context: { logins }, deadline }: Send,
  hop: Outgoing,
  status: number,
): Promise<Outgoing> {
  let renewed = hop;
  for (const token of logins.given.keys()) {
    const { url, headers } = hop;
    if (!url.href.includes(token) && !headers.some(([, value]) => value.includes(token))) continue;
    const fresh = await logins.refreshRejected(token, status, deadline.signal);
    if (fresh === undefined || fresh === token) continue;
    renewed = {
      ...renewed,
      url: new URL(renewed.url.href.replaceAll(token, () => fresh)),
      headers: renewed.headers.map(([name, value]) => [name, value.replaceAll(token, () => fresh)]),
    };
  }
  return renewed;
}

/** Adds the cookies of the URL, and stores those of the response: jars have their own rules for each URL. */
async function sendWithCookies(send: Send, outgoing: Outgoing): Promise<Response> {
  const { jars, warnings } = send;
  let sending = outgoing;
  for (const jar of jars) sending = addStoredCookies(sending, jar);
  const response = await sendFresh(send, sending);
  const lines = response.headers.getSetCookie().map(fromByteString);
  if (lines.length === 0) return response;
  for (const [index, jar] of jars.entries()) {
    const rejected = await jar.receive(outgoing.url, lines);
    if (index === 0) warnings.push(...rejected);
  }
  return response;
}

/** Idempotent methods (RFC 9110, section 9.2.2), except TRACE, which fetch forbids. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** The note of a request that was sent again. */
const RESENT =
  "The server had closed the connection of the request before; the request was sent again on another";

/** As in curl: an HTTP/2 server may refuse each stream of a connection that it keeps open. */
const MOST_RESENT = 5;

/**
 * Resends a request whose kept connection the server had closed, which is not noticed while a cell computes. Each
 * attempt may find another such connection.
 */
async function sendFresh(send: Send, outgoing: Outgoing): Promise<Response> {
  for (let left = MOST_RESENT; ; left--) {
    try {
      return await sendOnce(send, outgoing);
    } catch (cause) {
      const { reusedSocket } = Object(cause) as { readonly reusedSocket?: unknown };
      const isStale =
        reusedSocket === true &&
        IDEMPOTENT.has(outgoing.method) &&
        !isStreamed(outgoing.body) &&
        explainFailure(cause).code === "reset";
      if (send.deadline.signal.aborted || !isStale || left === 0) throw cause;
      if (!send.notes.includes(RESENT)) send.notes.push(RESENT);
    }
  }
}

/** Sends a hop as it is, and records it. */
async function sendOnce(send: Send, given: Outgoing): Promise<Response> {
  const { transport, warnings } = send;
  const { without } = send.request;
  const unsent = [...(without ?? []), ...(transport.isOfPage ? droppedOf(given, warnings) : [])];
  const outgoing =
    unsent.length === 0 ? given : { ...given, headers: excludeHeaders(given.headers, [], unsent) };
  const isUnchecked = transport.isInsecure === true && outgoing.url.protocol === "https:";
  if (isUnchecked && !warnings.includes(INSECURE_WARNING)) warnings.push(INSECURE_WARNING);
  const missing = transport.isOfPage ? [] : missingDefaults(outgoing.headers, without);
  const defaults = [...missing, ...transport.headersOf(outgoing, missing)];
  if (send.redirects.length === 0) send.first = { outgoing, defaults };
  const startedAt = new Date();
  const start = performance.now();
  const response = await fetchOutgoing(send, outgoing, missing);
  const wait = performance.now() - start;
  const details = detailsOf(response);
  // A `Headers` object sorts them each time.
  send.context.received.note(outgoing.url.hostname, details?.headers ?? response.headers);
  // HTTP/2, which the server chooses, has no such header (RFC 9113, 8.2.2).
  const isHttp2 = details?.httpVersion === "2";
  const sent = isHttp2 ? excludeHeaders(defaults, [["connection", ""]]) : defaults;
  send.answered.push({ outgoing, defaults: sent, startedAt, wait, response });
  return response;
}

/** The names of the headers that a browser drops, in lower case; a warning says so. */
function droppedOf({ headers }: Outgoing, warnings: string[]): readonly string[] {
  return droppedHeaders(outgoingHeaders(headers)).map((name) => {
    const warning = `The header "${name}" is not sent: a page leaves it to the browser`;
    if (!warnings.includes(warning)) warnings.push(warning);
    return name.toLowerCase();
  });
}

/** The answered hops as an exchange has them. */
export function toExchangeHops({ answered, outgoing: own, request }: Send): ExchangeHop[] {
  return answered.map(({ outgoing, defaults, startedAt, wait, response }, index) => {
    const { method, url, headers, body } = outgoing;
    const { status, statusText, headers: received } = response;
    const head = { status, statusText, headers: received };
    return {
      method,
      url: url.href,
      headers: sentHeaders({ headers, defaults }),
      // As it was written: what is sent may be its bytes.
      body: withoutStream(body === own.body ? request.body : body),
      startedAt,
      wait,
      response: index === answered.length - 1 ? head : withDiscarded(head, response),
      connection: arrivedDetailsOf(response),
      isReplayed: isReplayed(response),
    };
  });
}

/** Adds the body that a redirect discards. It may not have been received yet: it is looked up when it is asked for. */
function withDiscarded(head: ExchangeHop["response"], response: Response): ExchangeHop["response"] {
  return {
    ...head,
    get discarded() {
      return discardedBody(response);
    },
  };
}
