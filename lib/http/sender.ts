import {
  type Exchange,
  learnAnswer,
  learnRequest,
  NoResponseError,
  type PendingRequest,
  type Show,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import { warnTo } from "./attempt.ts";
import {
  type AuthContext,
  applyRequestOptions,
  createAuthMiddleware,
  keepsCookies,
  resolveCredentials,
} from "./authorization.ts";
import { createLimiter, type Deadline, type Limiter, startDeadline } from "./deadline.ts";
import { extendKyDefaults, type KyDefaults, kyOptionsOf } from "./ky.ts";
import type { HttpOptions, SendOptions } from "./options.ts";
import { CHAIN, type ChainedOptions, createOriginRule, type OriginRule } from "./origin-rule.ts";
import { type PreparedRequest, prepareRequest, type ResolvedRequest } from "./prepare.ts";
import { observeBody, type TransferProgress } from "./read-body.ts";
import type { RequestSpec } from "./request-spec.ts";
import { sendRequest } from "./send.ts";
import {
  clientSettings,
  createTransportSelector,
  requestSettings,
  type SelectTransport,
  type Settings,
} from "./transport.ts";

/** What a client shares with those that extend it when it sends. */
export interface SenderParts extends AuthContext {
  readonly show: Show;
  /** The ky options of the client. */
  readonly ky: KyDefaults;
  readonly add: (exchange: Exchange) => void;
}

/** A request before its body is read. */
type Unresolved = Pick<RenderedRequest, "method" | "url" | "headers">;

/** Sends a request; `resolve` reads its body once it is its turn. */
type Sender = (
  request: Unresolved | (RequestSpec & Pick<Unresolved, "headers">),
  resolve: () => ResolvedRequest | Promise<ResolvedRequest>,
  sendOptions: SendOptions,
) => Promise<Exchange>;

interface SenderContext {
  readonly options: HttpOptions;
  readonly parts: SenderParts;
  readonly settings: Settings;
  readonly selectTransport: SelectTransport;
  /** Origins that have responded: connections to them may be kept alive. */
  readonly answered: Set<string>;
}

/** Creates the function that sends the requests of a client, and its limiter if it has one. */
export function createSender(
  options: HttpOptions,
  parts: SenderParts,
  sharedLimiter: Limiter | undefined,
): { readonly send: Sender; readonly limiter: Limiter | undefined } {
  const context: SenderContext = {
    options,
    parts,
    settings: clientSettings(options),
    selectTransport: createTransportSelector(options, parts.secrets),
    answered: new Set(),
  };
  const limiter = createLimiter(options.concurrency, options.rate) ?? sharedLimiter;
  const send: Sender = async (request, resolve, sendOptions) => {
    const { method = "GET", url, headers } = request;
    const settings = requestSettings(sendOptions, context.settings);
    const { timeout } = settings;
    const limit = timeout > 0 && Number.isFinite(timeout) ? { timeout } : {};
    const flight: InFlightRequest = { method, url, startedAt: new Date(), ...limit };
    const ky = extendKyDefaults(parts.ky, sendOptions.ky);
    const leave =
      limiter && (await parts.inFlight.wait(flight, sendOptions.signal, limiter.acquire));
    try {
      return await sendInTurn(headers, flight, resolve, sendOptions, { ...context, settings, ky });
    } finally {
      leave?.();
    }
  };
  return { send, limiter };
}

async function sendInTurn(
  headers: Unresolved["headers"],
  flight: InFlightRequest,
  resolve: Parameters<Sender>[1],
  sendOptions: SendOptions,
  context: SenderContext & { readonly ky: KyDefaults },
): Promise<Exchange> {
  const { options, parts, settings, selectTransport } = context;
  const { inFlight, secrets } = parts;
  const credentials = await resolveCredentials(headers, flight, sendOptions, options, parts, {
    select: selectTransport,
    connection: sendOptions.connection,
    timeout: settings.timeout,
  });
  const deadline = inFlight.start(flight, settings.timeout, sendOptions.signal);
  try {
    const resolved = await resolve();
    const chain = (sendOptions as ChainedOptions)[CHAIN];
    chain?.onSending?.(resolved, sendOptions);
    const prepared = prepareRequest(await applyRequestOptions(resolved, credentials, sendOptions));
    learnRequest(prepared.sent, secrets);
    const warn = warnTo(prepared);
    const origin = createOriginRule({
      home: chain?.home ?? prepared.url,
      request: resolved,
      body: prepared.body,
      secrets,
      hasCredentials: credentials !== undefined,
      crossOriginBody: settings.crossOriginBody,
      warn,
    });
    if (chain?.home !== undefined) await checkBody(prepared, origin);
    const keepCookies = keepsCookies(sendOptions, options);
    const middleware = createAuthMiddleware(credentials, keepCookies, parts, origin, warn);
    const { ky } = context;
    const { fetch, headersOf, warnings } = await selectTransport(
      sendOptions.connection,
      kyOptionsOf(ky).fetch,
    );
    prepared.warnings.push(...warnings);
    const exchange = await sendRequest(prepared, {
      settings,
      deadline,
      ky,
      fetch,
      headersOf,
      show: parts.show,
      secrets: [secrets],
      observer: observeBody(sendOptions, flight),
      answered: context.answered,
      origin,
      middleware,
    });
    learnAnswer(exchange, secrets);
    parts.add(exchange);
    sendOptions.onExchange?.(exchange);
    return exchange;
  } finally {
    inFlight.end(deadline);
  }
}

/** A further page may be at another origin than the first. */
async function checkBody({ sent, url, body }: PreparedRequest, origin: OriginRule): Promise<void> {
  const reason = await origin.bodyRefusal({ url, body });
  if (reason === undefined) return;
  throw new UnsendableRequestError(`Cannot send ${sent.method} "${sent.url}": ${reason}`);
}

/** A request in flight, as `pending` shows it. */
export type InFlightRequest = PendingRequest & TransferProgress;

/** The requests in flight of a client and of those that extend it. Every request is registered here. */
export interface InFlight {
  readonly pending: readonly PendingRequest[];
  /** @throws The abort reason of the calling code, which may send nothing more. */
  check(): void;
  /**
   * Registers a request and starts its deadline, which also ends when the calling code is ended.
   *
   * @param timeout Milliseconds; 0 or Infinity for none.
   * @param signal The caller's.
   * @throws The same as {@link InFlight.check}.
   */
  start(request: InFlightRequest, timeout: number, signal: AbortSignal | undefined): Deadline;
  end(deadline: Deadline): void;
  /**
   * Registers a request and runs a task that precedes it, without a time limit.
   *
   * @throws {NoResponseError} The request was aborted.
   * @throws What the task throws.
   */
  wait<T>(
    request: InFlightRequest,
    signal: AbortSignal | undefined,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Aborts every request and returns how many there were. */
  abort(reason: unknown): number;
}

/** What the running code has to do with the requests in flight. */
interface InFlightOptions {
  /** Returns the signal that ends the running code, if there is one. */
  readonly owner?: (() => AbortSignal | undefined) | undefined;
  /** Called with each request that is registered; what it returns is called when the request has ended. */
  readonly onPending?: ((request: PendingRequest) => (() => void) | undefined) | undefined;
}

/** Creates an empty list of requests in flight. */
export function createInFlight({
  owner: ownerOf = () => undefined,
  onPending,
}: InFlightOptions = {}): InFlight {
  const requests = new Map<
    Deadline,
    { readonly request: InFlightRequest; readonly onEnd: (() => void) | undefined }
  >();
  const inFlight: InFlight = {
    get pending() {
      return [...requests.values()].map(({ request }) => request);
    },
    check: () => ownerOf()?.throwIfAborted(),
    start(request, timeout, signal) {
      inFlight.check();
      const deadline = startDeadline(timeout, signal, ownerOf());
      requests.set(deadline, { request, onEnd: onPending?.(request) });
      return deadline;
    },
    end(deadline) {
      const onEnd = requests.get(deadline)?.onEnd;
      requests.delete(deadline);
      onEnd?.();
      deadline.release();
    },
    async wait(request, signal, task) {
      const deadline = inFlight.start(request, 0, signal);
      try {
        return await task(deadline.signal);
      } catch (cause) {
        if (deadline.stop?.kind !== "aborted") throw cause;
        throw abortedBeforeSending(request, deadline.stop.reason);
      } finally {
        inFlight.end(deadline);
      }
    },
    abort(reason) {
      const { size } = requests;
      for (const deadline of requests.keys()) deadline.abort(reason);
      return size;
    },
  };
  return inFlight;
}

function abortedBeforeSending({ method, url }: InFlightRequest, cause: unknown): NoResponseError {
  const request = { method, url, writtenUrl: url, headers: [], added: [], body: undefined };
  const message = `${method} "${url}" was aborted before it was sent`;
  return new NoResponseError("aborted", message, { request, redirects: [], cause });
}
