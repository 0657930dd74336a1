import {
  createExchange,
  detailsOf,
  type Exchange,
  learnAnswer,
  learnRequest,
  loadDecoders,
  remarksOfFields,
  type Show,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import { findHeader } from "../request/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import {
  type Authorizer,
  CredentialError,
  type TokenStore,
  type VariableLookup,
} from "./auth/mod.ts";
import {
  applyRequestOptions,
  type LoginTokens,
  type ResolvedCredentials,
  resolveCredentials,
} from "./authorization.ts";
import { isStreamed } from "./body-out.ts";
import type { CookieFile } from "./cookie-file.ts";
import type { CookieJar } from "./cookies.ts";
import { noResponse, type Reason } from "./failure.ts";
import { type AnsweredHop, type SentHop, toExchangeHops } from "./hops.ts";
import {
  createLimiter,
  type Deadline,
  type InFlight,
  type InFlightRequest,
  type Limiter,
} from "./in-flight.ts";
import {
  addKyOptions,
  HookError,
  type KyLayers,
  type KyOptions,
  mergeKyOptions,
  sendByKy,
} from "./ky.ts";
import { type HttpOptions, type SendOptions, type Settings, settingsOf } from "./options.ts";
import { bodyRefusal, CHAIN, type ChainedOptions } from "./origin-rule.ts";
import {
  type Outgoing,
  pathNote,
  type ResolvedRequest,
  toOutgoing,
  toSent,
  withHeaders,
  writtenUrl,
} from "./outgoing.ts";
import { type BodyObserver, cutReasonOf, observeBody, receiveBody } from "./receive-body.ts";
import type { ReceivedBytes } from "./received-bytes.ts";
import { RedirectError } from "./redirects.ts";
import type { RequestSpec } from "./request-spec.ts";
import { createTransportSelector, type SelectTransport, type Transport } from "./transport.ts";

/** What a client shares with those that extend it. */
export interface HttpSession {
  readonly secrets: SecretStore;
  readonly cookies: CookieJar;
  /** What servers have sent in headers that is not UTF-8. */
  readonly received: ReceivedBytes;
  readonly tokens: TokenStore;
  readonly logins: LoginTokens;
  readonly inFlight: InFlight;
  readonly lookup: VariableLookup;
  readonly show: Show;
  /** Adds an exchange to the history. */
  readonly add: (exchange: Exchange) => void;
  /** Called with the exchange of each token request, which is not in the history. */
  readonly addLogin: (exchange: Exchange) => void;
}

/** What the requests of one client share: its session, and what its own options say. */
export interface HttpContext extends HttpSession {
  readonly options: HttpOptions;
  readonly settings: Settings;
  readonly ky: KyLayers;
  readonly limiter: Limiter | undefined;
  readonly selectTransport: SelectTransport;
  /** By credentials and transport. An authorizer is reused because it remembers a nonce or a token. */
  readonly authorizers: Map<string, Promise<Authorizer>>;
}

/**
 * Creates the context of a client.
 *
 * @param extended The context of the client that it extends, whose limits are its own if its options have none.
 * @throws {TypeError} An option is invalid.
 */
export function createHttpContext(
  session: HttpSession,
  options: HttpOptions,
  extended?: HttpContext,
): HttpContext {
  return {
    ...session,
    options,
    settings: settingsOf(options),
    ky: addKyOptions(extended?.ky ?? [], options.ky),
    limiter: createLimiter(options.concurrency, options.rate) ?? extended?.limiter,
    selectTransport: createTransportSelector(options, session.secrets),
    authorizers: new Map(),
  };
}

/** A request on its way: rendered, outgoing, and what was sent of it so far. */
export interface Send {
  readonly context: HttpContext;
  readonly settings: Settings;
  readonly ky: KyOptions;
  /** The options of ky that concern fetch, such as `cache` and `credentials` in a browser. */
  readonly requestInit: RequestInit;
  readonly transport: Transport;
  readonly deadline: Deadline;
  /** As `pending` shows it. */
  readonly flight: InFlightRequest;
  readonly credentials: ResolvedCredentials | undefined;
  /** The jars of its cookies; one that is earlier takes precedence. */
  readonly jars: readonly CookieJar[];
  readonly observer: BodyObserver | undefined;
  /** The first URL of the chain of redirects and pages. */
  readonly home: URL;
  readonly request: ResolvedRequest;
  /** The request as fetch accepts it, before hooks, credentials and cookies. */
  readonly outgoing: Outgoing;
  /** The hop of the latest attempt that was sent last, before credentials and cookies. */
  hop: Outgoing;
  /** The first hop of the latest attempt as it was sent; unset if nothing was. */
  first: SentHop | undefined;
  /** The redirects that the latest attempt has followed. */
  redirects: Exchange["redirects"][number][];
  /** All hops that were answered, those of earlier attempts included. */
  readonly answered: AnsweredHop[];
  readonly warnings: string[];
  readonly notes: string[];
}

/** The option of a request with cookies of its own, besides those of the client. */
export const OWN_JAR: unique symbol = Symbol("restlab.jar");

interface OwnJar {
  readonly [OWN_JAR]?: CookieFile;
}

/** A request before its body is read. */
type Unread = Pick<ResolvedRequest, "url" | "headers" | "credentials"> &
  Pick<RequestSpec, "method">;

/**
 * Sends a request and follows its redirects.
 *
 * @param resolve Reads its body once it is its turn.
 * @throws {NoResponseError} There is no response, or its body is incomplete.
 * @throws {UnsendableRequestError} fetch does not accept the request.
 * @throws {CredentialError} There is no token.
 */
export async function sendRequest(
  unread: Unread,
  resolve: () => ResolvedRequest | Promise<ResolvedRequest>,
  options: SendOptions,
  context: HttpContext,
): Promise<Exchange> {
  const { method = "GET", url } = unread;
  const { inFlight, limiter } = context;
  const settings = settingsOf(options, context.settings);
  const { timeout } = settings;
  const limit = timeout > 0 && Number.isFinite(timeout) ? { timeout } : {};
  const flight: InFlightRequest = { method, url, startedAt: new Date(), ...limit };
  const layers = addKyOptions(context.ky, options.ky);
  const leave = limiter && (await inFlight.wait(flight, options.signal, limiter.acquire));
  try {
    const credentials = await resolveCredentials(unread, flight, options, timeout, context);
    const deadline = inFlight.start(flight, timeout, options.signal);
    try {
      const ky = mergeKyOptions(layers);
      const read = await resolve();
      const chain = (options as ChainedOptions)[CHAIN];
      chain?.onSending?.(read, options);
      const request = await applyRequestOptions(read, credentials, options);
      const own = (options as OwnJar)[OWN_JAR];
      const warnings =
        own === undefined ? [...request.warnings] : [...request.warnings, ...own.warnings];
      const keepsCookies = options.cookies ?? context.options.cookies ?? true;
      const jars = keepsCookies ? [context.cookies] : [];
      const observer = observeBody(options, flight);
      const { hooks: _h, retry: _r, context: _c, fetch: kyFetch, ...requestInit } = ky;
      const transport = await context.selectTransport(options.connection, kyFetch);
      if (transport.sendsHost && "dispatcher" in requestInit) {
        throw new UnsendableRequestError(
          "Cannot use a dispatcher of undici, which only the fetch of Node knows: pass a fetch that sets it, or use connection",
        );
      }
      const converted = toOutgoing(request, warnings, transport.sendsHost);
      const outgoing = withHeaders(converted, observer?.headers);
      const isAsIs = transport.addressOf(outgoing) === writtenUrl(outgoing);
      const note = isAsIs ? undefined : pathNote(outgoing);
      learnRequest(toSent(request, outgoing), context.secrets);
      const send: Send = {
        context,
        settings,
        ky,
        requestInit: requestInit as RequestInit,
        transport,
        deadline,
        flight,
        credentials,
        jars: own === undefined ? jars : [own.jar, ...jars],
        observer,
        home: chain?.home ?? outgoing.url,
        request,
        outgoing,
        hop: outgoing,
        first: undefined,
        redirects: [],
        answered: [],
        warnings,
        notes: [...(request.notes ?? []), ...(note === undefined ? [] : [note])],
      };
      if (chain?.home !== undefined) checkBody(send);
      const exchange = await receiveExchange(send);
      learnAnswer(exchange, context.secrets);
      context.add(exchange);
      options.onExchange?.(exchange);
      return exchange;
    } finally {
      inFlight.end(deadline);
    }
  } finally {
    leave?.();
  }
}

/** A further page may be at another origin than the first. */
function checkBody(send: Send): void {
  const { method, url } = send.outgoing;
  const reason = bodyRefusal(send, send.outgoing);
  if (reason === undefined) return;
  throw new UnsendableRequestError(`Cannot send ${method} "${url.href}": ${reason}`);
}

async function receiveExchange(send: Send): Promise<Exchange> {
  const { context, observer, settings, warnings, notes } = send;
  const { charset } = settings;
  const startedAt = new Date();
  const start = performance.now();
  let response: Response;
  try {
    response = await sendByKy(send);
  } catch (cause) {
    if (cause instanceof UnsendableRequestError || cause instanceof CredentialError) throw cause;
    throw failed(send, reasonOf(cause, send.hop));
  }
  const headers = performance.now() - start;
  const body = await receiveBody(send, response, start);
  const { content, failure } = body;
  const cutReason = cutReasonOf(send, response, body);
  if (cutReason?.isWarning) warnings.push(cutReason.text);
  if (observer?.warning !== undefined) warnings.push(observer.warning);
  const undecoded = codingWarning(response, content.length);
  if (undecoded !== undefined) warnings.push(undecoded);
  const hops = toExchangeHops(send);
  // None of a response that a hook has made.
  const connection = detailsOf(response) && hops.at(-1)?.connection;
  if (connection !== undefined) {
    warnings.push(...remarksOfFields(connection.headers), ...(connection.remarks ?? []));
  }
  const loading = loadDecoders(
    findHeader(send.outgoing.headers, "content-type"),
    response.headers.get("content-type"),
  );
  if (loading !== undefined) await loading;
  const exchange = createExchange({
    request: charset === undefined ? requestAsSent(send) : { ...requestAsSent(send), charset },
    url: send.hop.url.href,
    response,
    content,
    cut: body.cut || body.stopped === true || failure !== undefined,
    cutReason: cutReason?.text,
    saved: observer?.saved,
    connection,
    timing: { startedAt, headers, total: performance.now() - start },
    redirects: send.redirects,
    hops,
    warnings,
    notes,
    secrets: [context.secrets],
    show: context.show,
  });
  if (failure === undefined) return exchange;
  throw failed(send, { kind: "cut-short", cause: failure.cause }, exchange);
}

/** The request with the changes of hooks, credentials and cookies, whose secrets are learned as well. */
function requestAsSent({ context, request, outgoing, first }: Send): Exchange["request"] {
  if (first === undefined) return toSent(request, outgoing);
  const sent = toSent(request, outgoing, first.outgoing);
  if (first.outgoing !== outgoing) learnRequest(sent, context.secrets, "server");
  return { ...sent, defaults: first.defaults };
}

function failed(send: Send, reason: Reason, partial?: Exchange): Error {
  const { context, deadline, hop, redirects } = send;
  return noResponse({
    request: partial?.request ?? requestAsSent(send),
    hop,
    redirects,
    reason: deadline.stop ?? reason,
    partial,
    secrets: context.secrets,
  });
}

function reasonOf(cause: unknown, { body }: Outgoing): Reason {
  if (cause instanceof RedirectError) return cause.reason;
  if (cause instanceof HookError) return { kind: "hook", cause: cause.cause };
  // The fetch of Deno loses the reason.
  return { kind: "failed", cause: (isStreamed(body) ? body.failure : undefined) ?? cause };
}

const CODINGS = /^(?:(?:x-)?(?:gzip|compress)|deflate|br|zstd|identity|exi|aes128gcm|dc[bz])?$/i;

/**
 * The warning about a body that is not decoded: "UTF-8" and "none" are no codings, and Node 20 does not know zstd. Only
 * then is the body as long as its Content-Length.
 */
function codingWarning({ headers }: Response, length: number): string | undefined {
  const encoding = headers.get("content-encoding");
  if (encoding === null || length === 0) return undefined;
  const codings = encoding.split(",").map((coding) => coding.trim());
  const unknown = codings.find((coding) => !CODINGS.test(coding));
  if (unknown !== undefined) {
    return `The Content-Encoding "${unknown}" is unknown: the body is shown as it came`;
  }
  const isDecoded = codings.every((coding) => /^(?:identity)?$/i.test(coding));
  if (isDecoded || headers.get("content-length") !== String(length)) return undefined;
  return `The body is still compressed: this runtime does not support "${encoding}"`;
}
