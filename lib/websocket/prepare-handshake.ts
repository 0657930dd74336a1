import { UnsendableRequestError } from "../exchange/mod.ts";
import {
  type AuthContext,
  addStoredCookies,
  applyRequestOptions,
  authorizeHop,
  clientSettings,
  createTransportSelector,
  excludeHeaders,
  type Hop,
  type HttpOptions,
  keepsCookies,
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  requestSettings,
  resolveCredentials,
  type SendOptions,
} from "../http/mod.ts";

/** What a handshake needs of a client. */
export interface HandshakeContext extends AuthContext {
  readonly options: HttpOptions;
}

/** The opening handshake (RFC 6455, section 4.1) as it is sent. */
interface PreparedHandshake {
  readonly prepared: PreparedRequest;
  readonly url: URL;
  readonly headers: Hop["headers"];
  readonly added: readonly string[];
  /** Stores the cookies of the response, and returns warnings. */
  receive(headers: Hop["headers"]): Promise<readonly string[]>;
}

/**
 * Adds the cookies and credentials of a client to a handshake.
 *
 * @throws {UnsendableRequestError} The credentials need a challenge, which no WebSocket exposes.
 */
export async function prepareHandshake(
  request: ResolvedRequest,
  sendOptions: SendOptions,
  context: HandshakeContext,
): Promise<PreparedHandshake> {
  const { options, secrets, cookies } = context;
  const flight = { method: "WEBSOCKET", url: request.url, startedAt: new Date() };
  const select = createTransportSelector(options, secrets);
  const { timeout } = requestSettings(sendOptions, clientSettings(options));
  const credentials = await resolveCredentials(
    request.headers,
    flight,
    sendOptions,
    options,
    context,
    { select, connection: sendOptions.connection, timeout },
  );
  const resolved = await applyRequestOptions(request, credentials, {});
  // The handshake is a GET request over http or https.
  const url = resolved.url.replace(/^ws(?=s?:)/i, "http");
  const prepared = prepareRequest({ ...resolved, url });
  const { headers } = prepared.sent;
  const original: Hop = { method: "GET", url: prepared.url, headers, body: undefined };
  const jar = keepsCookies(sendOptions, options) ? cookies : undefined;
  const withCookies = jar === undefined ? original : addStoredCookies(original, jar);
  const hop =
    credentials === undefined
      ? withCookies
      : await authorizeHop(withCookies, credentials.authorizer);
  const isUnchanged = hop.headers === withCookies.headers && hop.url === withCookies.url;
  if (credentials !== undefined && isUnchanged) throw needsChallenge(request.url);
  const added = excludeHeaders(hop.headers, headers).map(([name]) => name);
  async function receive(received: Hop["headers"]): Promise<readonly string[]> {
    const cookies = received.filter(([name]) => name.toLowerCase() === "set-cookie");
    const lines = cookies.map(([, value]) => value);
    return (await jar?.receive(hop.url, lines)) ?? [];
  }
  return { prepared, url: hop.url, headers: hop.headers, added, receive };
}

function needsChallenge(url: string): UnsendableRequestError {
  return new UnsendableRequestError(
    `Cannot open the WebSocket "${url}" with these credentials: they answer a challenge, which no ` +
      "WebSocket exposes; use basic, bearer, an API key or OAuth 2",
  );
}
