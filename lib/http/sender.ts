import type { Exchange, Show } from "../exchange/mod.ts";
import { learnAnswer, learnRequest, UnsendableRequestError } from "../exchange/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import {
  type AuthContext,
  applyRequestOptions,
  createAuthMiddleware,
  keepsCookies,
  resolveCredentials,
} from "./authorization.ts";
import type { InFlightRequest } from "./in-flight.ts";
import { CHAIN, type ChainedOptions, createOriginRule, type OriginRule } from "./origin-rule.ts";
import type { HttpOptions } from "./outgoing-options.ts";
import {
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  warnTo,
} from "./request/mod.ts";
import type { RequestSpec } from "./request-spec.ts";
import { observeBody } from "./response/mod.ts";
import { sendRequest } from "./send.ts";
import type { SendOptions } from "./send-options.ts";
import {
  clientSettings,
  createLimiter,
  createTransportSelector,
  extendKyDefaults,
  type KyDefaults,
  kyOptionsOf,
  type Limiter,
  requestSettings,
  type SelectTransport,
  type Settings,
} from "./transport/mod.ts";

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
export type Sender = (
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
