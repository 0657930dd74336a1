import { UnsendableRequestError } from "../exchange/mod.ts";
import type {
  Hop,
  HttpOptions,
  PreparedRequest,
  ResolvedRequest,
  SenderParts,
  SendOptions,
} from "../http/mod.ts";
import {
  addKeptCookies,
  applyRequestOptions,
  authorizeHop,
  createFetch,
  createTransportSelector,
  keepsCookies,
  resolveCredentials,
} from "../http/mod.ts";

/** What cookies and credentials need of a client. */
export interface HandshakeContext
  extends Pick<
    SenderParts,
    "inFlight" | "secrets" | "cookies" | "tokens" | "logins" | "authorizers" | "lookup"
  > {
  readonly options: HttpOptions;
}

/** The request of a handshake, and what a person has to know of it. */
export interface PreparedHandshake {
  readonly url: URL;
  readonly headers: Hop["headers"];
  readonly added: readonly string[];
  readonly warnings: readonly string[];
  /** Takes what the answer sets, cookies for one, and says what a person has to know of it. */
  receive(headers: Hop["headers"]): Promise<readonly string[]>;
}

/**
 * Gives the handshake of a WebSocket what any other request of the client gets: its cookies, and its
 * credentials, a token being got first where it takes one.
 *
 * @param request The handshake as written.
 * @param prepare Makes it fit to be sent.
 * @throws {UnsendableRequestError} The credentials answer a challenge: no WebSocket shows one.
 */
export async function prepareHandshake(
  request: ResolvedRequest,
  prepare: (request: ResolvedRequest) => PreparedRequest,
  sendOptions: SendOptions,
  room: HandshakeContext,
): Promise<PreparedHandshake & { readonly prepared: PreparedRequest }> {
  const { options, inFlight, secrets } = room;
  const reach = createTransportSelector(options, secrets);
  const pass = await resolveCredentials(
    request.headers,
    sendOptions,
    options,
    room,
    room.lookup,
    () => ({
      fetch: createFetch(reach, sendOptions.connection),
      timeout: sendOptions.timeout ?? options.timeout ?? 30_000,
    }),
  );
  if (pass?.authorizer.ready !== undefined) {
    // A login takes its time, which the limit of the handshake is not for.
    const flight = { method: "WEBSOCKET", url: request.url, startedAt: new Date() };
    const waiting = inFlight.start(flight, 0, sendOptions.signal);
    try {
      await pass.authorizer.ready(waiting.signal);
    } finally {
      inFlight.end(waiting);
    }
  }
  const prepared = prepare(
    pass === undefined ? request : await applyRequestOptions(request, pass, {}),
  );
  const { warnings } = prepared;
  const bare: Hop = {
    method: "GET",
    url: prepared.url,
    headers: prepared.sent.headers,
    body: undefined,
  };
  const jar = keepsCookies(sendOptions, options) ? room.cookies : undefined;
  let hop = jar === undefined ? bare : addKeptCookies(bare, jar);
  if (pass !== undefined) {
    const before = hop;
    hop = await authorizeHop(hop, pass.authorizer);
    if (hop.headers === before.headers && hop.url === before.url) throw needsChallenge(request.url);
  }
  const known = new Set(bare.headers.map(([name]) => name.toLowerCase()));
  const added = hop.headers.map(([name]) => name).filter((it) => !known.has(it.toLowerCase()));
  async function receive(answered: Hop["headers"]): Promise<readonly string[]> {
    const lines = answered.filter(([name]) => name.toLowerCase() === "set-cookie");
    return jar === undefined
      ? []
      : await jar.receive(
          hop.url,
          lines.map(([, value]) => value),
        );
  }
  return { url: hop.url, headers: hop.headers, added, warnings, receive, prepared };
}

function needsChallenge(url: string): UnsendableRequestError {
  return new UnsendableRequestError(
    `Cannot open the WebSocket "${url}" with these credentials: they answer a challenge of the ` +
      "server, and no WebSocket shows one; use basic, bearer, an API key or OAuth 2",
  );
}
