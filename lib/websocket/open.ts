import {
  type HeaderList,
  learnRequest,
  type PendingRequest,
  type SentRequest,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import {
  type AuthContext,
  addStoredCookies,
  applyRequestOptions,
  authorizeHop,
  type ConnectionOptions,
  clientSettings,
  createTransportSelector,
  type Deadline,
  excludeHeaders,
  type Hop,
  type HttpOptions,
  INSECURE_WARNING,
  keepsCookies,
  noResponse,
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  readConnection,
  requestSettings,
  resolveCredentials,
  type SenderParts,
  type SendOptions,
} from "../http/mod.ts";
import { type Conversation, type OnMessage, startConversation } from "./conversation.ts";

/** What a WebSocket needs of a client. */
export interface SocketAccess extends HandshakeContext, Pick<SenderParts, "show" | "add"> {
  readonly options: HandshakeContext["options"] & WebSocketOptions;
}

/** Options of a client for WebSockets. */
export interface WebSocketOptions {
  /** Opens WebSockets instead of the global constructor, which Node 20 does not have. */
  readonly openWebSocket?: OpenWebSocket;
}

/** The request for a WebSocket. */
export interface SocketRequest {
  readonly name?: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly added?: readonly string[];
  readonly body?: string | undefined;
}

/** An open WebSocket. */
export interface OpenedSocket {
  readonly conversation: Conversation;
  readonly deadline: Deadline;
  readonly sent: SentRequest;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** When it was requested, from `performance.now()`. */
  readonly start: number;
  /** Removes it from the requests in flight. */
  release(): void;
}

/** Errors of the runtime that explain why nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set(["UnsendableRequestError", "ConnectionError"]);

/**
 * Opens a WebSocket. `pending` shows it and `abort` ends it until it is released.
 *
 * @param isBounded Whether it has an end, so that a timeout that was set applies to all of it.
 * @throws {NoResponseError} It does not open.
 * @throws {UnsendableRequestError} The request is invalid.
 */
export async function openSocket(
  request: SocketRequest,
  sendOptions: SendOptions,
  access: SocketAccess,
  onMessage: OnMessage,
  isBounded = false,
): Promise<OpenedSocket> {
  const { options, inFlight, secrets } = access;
  const { body, ...rest } = request;
  const handshake = { added: [], ...rest, method: "GET", body: undefined, warnings: [] };
  const prepared = await prepareHandshake(handshake, sendOptions, access);
  const sent: SentRequest = {
    ...prepared.prepared.sent,
    method: "WEBSOCKET",
    url: prepared.url.href.replace(/^http/, "ws"),
    writtenUrl: request.url,
    headers: prepared.headers,
    added: [...prepared.prepared.sent.added, ...prepared.added],
    body,
  };
  learnRequest(sent, secrets);
  const connected = await connectionFor(sendOptions, access);
  const isInsecure = connected.connection?.insecure === true;
  const insecure = isInsecure ? [INSECURE_WARNING] : [];
  const { timeout, isTimed } = requestSettings(sendOptions, clientSettings(options));
  const isLimited = isBounded && isTimed;
  const { method, url } = sent;
  const flight: { isOpen?: true } & PendingRequest = { method, url, startedAt: new Date() };
  const deadline = inFlight.start(flight, timeout, sendOptions.signal);
  const release = (): void => inFlight.end(deadline);
  const start = performance.now();
  try {
    const open = options.openWebSocket ?? openGlobalWebSocket;
    let received: HeaderList = [];
    const onAnswer = (headers: HeaderList): void => {
      secrets.learn({ kind: "headers", headers }, "server");
      received = headers;
    };
    const socket = await open(url, { ...takeProtocols(sent.headers), ...connected, onAnswer });
    const conversation = startConversation(socket, deadline, start, isLimited, onMessage);
    await conversation.opened;
    flight.isOpen = true;
    const cookieWarnings = await prepared.receive(received);
    const warnings = [...prepared.prepared.warnings, ...insecure, ...cookieWarnings];
    const { notes } = prepared.prepared;
    return { conversation, deadline, sent, warnings, notes, start, release };
  } catch (cause) {
    release();
    if (cause instanceof TypeError && UNSENT.has(cause.name)) throw cause;
    throw noResponse({
      request: sent,
      hop: { method, url: new URL(url), headers: sent.headers, body: undefined },
      redirects: [],
      reason: deadline.stop ?? { kind: "failed", cause },
      partial: undefined,
      secrets: [secrets],
    });
  }
}

async function connectionFor(
  sendOptions: SendOptions,
  { options, secrets }: SocketAccess,
): Promise<{ readonly connection?: ConnectionOptions }> {
  const connection = { ...options.connection, ...sendOptions.connection };
  if (Object.values(connection).every((it) => it === undefined)) return {};
  return { connection: await readConnection(connection, options, secrets) };
}

function takeProtocols(headers: HeaderList): {
  readonly protocols: readonly string[];
  readonly headers: HeaderList;
} {
  const isProtocol = ([name]: readonly [string, string]): boolean =>
    name.toLowerCase() === "sec-websocket-protocol";
  const protocols = headers.filter(isProtocol).flatMap(([, value]) => value.split(/\s*,\s*/));
  return { protocols, headers: headers.filter((header) => !isProtocol(header)) };
}

/** What a handshake needs of a client. */
interface HandshakeContext extends AuthContext {
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
async function prepareHandshake(
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

/** The part of the WebSocket interface of the WHATWG standard that is used. */
export interface WebSocketLike {
  /** Set to `arraybuffer`. */
  binaryType: string;
  /** The subprotocol that the server selected. */
  readonly protocol: string;
  /** Listens to `open`, `message`, `error` and `close`. */
  addEventListener(type: string, listener: (event: never) => void): void;
  /** Sends a message. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Starts the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Makes the server wait, if the implementation can. */
  pause?(): void;
  /** Ends the pause. */
  resume?(): void;
  /** Ends the connection at once, if the implementation can. */
  terminate?(): void;
}

/** The parameters of the opening handshake. */
export interface WebSocketRequest {
  /** The subprotocols to offer. */
  readonly protocols: readonly string[];
  /** Headers of the handshake. */
  readonly headers: HeaderList;
  /** The connection options, with the contents of certificate files. */
  readonly connection?: ConnectionOptions;
  /** Call it with the headers of the response before `open`, if the runtime exposes them. */
  readonly onAnswer?: (headers: HeaderList) => void;
}

/** Opens a WebSocket; passed to clients on runtimes without one. */
export type OpenWebSocket = (
  url: string,
  request: WebSocketRequest,
) => WebSocketLike | Promise<WebSocketLike>;

type Constructor = new (
  url: string,
  options: { protocols: string[]; headers: Record<string, string> } | string[],
) => WebSocketLike;

/** Opens a WebSocket with the global constructor. Deno and Bun accept headers, browsers do not. */
const openGlobalWebSocket: OpenWebSocket = (url, { protocols, headers, connection }) => {
  if (connection !== undefined) {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}" with the connection options ${Object.keys(connection).join(", ")}: ` +
        "this client has only the global WebSocket; pass openWebSocket of restlab/platform to createClient",
    );
  }
  const { WebSocket } = globalThis as { WebSocket?: unknown };
  if (typeof WebSocket !== "function") {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}": this runtime has no WebSocket; pass openWebSocket to createClient`,
    );
  }
  const Socket = WebSocket as Constructor;
  if (headers.length === 0) return new Socket(url, [...protocols]);
  return new Socket(url, { protocols: [...protocols], headers: joinValues(headers) });
};

/** One value for each name: the constructors take a record, and a list is the same as repeated headers (RFC 9110, 5.3). */
function joinValues(headers: WebSocketRequest["headers"]): Record<string, string> {
  return Object.fromEntries(
    new Headers(headers.map(([name, value]): [string, string] => [name, value])),
  );
}
