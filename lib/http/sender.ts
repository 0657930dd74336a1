import type { Exchange, Show } from "../exchange/mod.ts";
import { learnAnswer, learnRequest, UnsendableRequestError } from "../exchange/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import {
  type AuthContext,
  applyRequestOptions,
  middlewareOf,
  resolveCredentials,
} from "./authorization.ts";
import type { Flight, InFlight } from "./in-flight.ts";
import { CHAIN, type ChainedOptions, createOriginRule, type OriginRule } from "./origin-rule.ts";
import type { HttpOptions } from "./outgoing-options.ts";
import type { Tell } from "./request/mod.ts";
import { type PreparedRequest, prepareRequest, type ResolvedRequest } from "./request/mod.ts";
import type { RequestSpec } from "./request-spec.ts";
import { observeBody } from "./response/mod.ts";
import { sendRequest } from "./send.ts";
import type { SendOptions } from "./send-options.ts";
import type { Deadline } from "./transport/mod.ts";
import {
  clientSettings,
  createFetch,
  createLimiter,
  createTransportSelector,
  extendKyDefaults,
  type KyDefaults,
  kyOptionsOf,
  type Limiter,
  requestSettings,
} from "./transport/mod.ts";

/** What clients of one family share when they send. */
export interface SenderParts extends AuthContext {
  readonly show: Show;
  /** The ky options of the client. */
  readonly ky: KyDefaults;
  /** What is on its way, for `pending` and `abort`. */
  readonly inFlight: InFlight;
  readonly lookup: (name: string) => unknown;
  readonly add: (exchange: Exchange) => void;
}

/** A request with its headers, its body still to be read. */
type Unresolved = Pick<RenderedRequest, "method" | "url" | "headers">;

/** Sends a request whose body may still have to be read. */
export type Sender = (
  request: Unresolved | (RequestSpec & Pick<Unresolved, "headers">),
  resolve: () => ResolvedRequest | Promise<ResolvedRequest>,
  sendOptions: SendOptions,
) => Promise<Exchange>;

/** Creates what sends the requests of a client: the bracket around each, from its turn to its answer. */
export function createSender(
  options: HttpOptions,
  parts: SenderParts,
  shared: Limiter | undefined,
): { readonly send: Sender; readonly limiter: Limiter | undefined } {
  const settings = clientSettings(options);
  const limiter = createLimiter(options.concurrency, options.rate) ?? shared;
  const reach = createTransportSelector(options, parts.secrets);
  const { inFlight, secrets, show } = parts;
  const answered = new Set<string>();

  const send: Sender = async (request, resolve, sendOptions) => {
    const chosen = requestSettings(sendOptions, settings);
    const ky = extendKyDefaults(parts.ky, sendOptions.ky);
    const { method = "GET", url } = request;
    const flight: Flight = { method, url, startedAt: new Date() };
    const leave = limiter && (await inFlight.wait(flight, sendOptions.signal, limiter.acquire));
    let deadline: Deadline | undefined;
    try {
      const pass = await resolveCredentials(
        request.headers,
        sendOptions,
        options,
        parts,
        parts.lookup,
        () => ({
          fetch: createFetch(reach, sendOptions.connection),
          timeout: chosen.timeout,
        }),
      );
      const ready = pass?.authorizer.ready;
      if (ready !== undefined) await inFlight.wait(flight, sendOptions.signal, ready);

      deadline = inFlight.start(flight, chosen.timeout, sendOptions.signal);
      const resolved = await resolve();
      const chain = (sendOptions as ChainedOptions)[CHAIN];
      chain?.onSending?.(resolved, sendOptions);
      const prepared = prepareRequest(await applyRequestOptions(resolved, pass, sendOptions));
      learnRequest(prepared.sent, secrets);
      const { fetch, warnings } = await reach(sendOptions.connection, kyOptionsOf(ky).fetch);
      prepared.warnings.push(...warnings);
      const tell: Tell = (warning) => void prepared.warnings.push(warning);
      const origin = createOriginRule({
        home: chain?.home ?? prepared.url,
        request: resolved,
        body: prepared.body,
        secrets,
        hasCredentials: pass !== undefined,
        crossOriginBody: chosen.crossOriginBody,
        tell,
      });
      if (chain?.home !== undefined) await checkBody(prepared, origin);
      const exchange = await sendRequest(prepared, {
        settings: chosen,
        deadline,
        ky,
        fetch,
        show,
        secrets: [secrets],
        arrival: observeBody(sendOptions, flight),
        answered,
        origin,
        middleware: middlewareOf(pass, sendOptions, options, parts, origin, tell),
      });
      learnAnswer(exchange, secrets);
      parts.add(exchange);
      sendOptions.onExchange?.(exchange);
      return exchange;
    } finally {
      if (deadline !== undefined) inFlight.end(deadline);
      leave?.();
    }
  };
  return { send, limiter };
}

/** A further page may stand at another origin than the first. */
async function checkBody({ sent, url, body }: PreparedRequest, origin: OriginRule): Promise<void> {
  const reason = await origin.whyNoBody({ url, body });
  if (reason === undefined) return;
  throw new UnsendableRequestError(`Cannot send ${sent.method} "${sent.url}": ${reason}`);
}
