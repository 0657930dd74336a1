import {
  createContent,
  createExchange,
  type Exchange,
  fromByteString,
  type HeaderList,
  learnAnswer,
  learnRequest,
  type PendingRequest,
  type SentRequest,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import {
  addStoredCookies,
  applyRequestOptions,
  authorize,
  type ConnectionOptions,
  type Deadline,
  type HttpContext,
  INSECURE_WARNING,
  noResponse,
  type Outgoing,
  type ResolvedRequest,
  readConnection,
  resolveCredentials,
  type SendOptions,
  settingsOf,
  toOutgoing,
  toSent,
} from "../http/mod.ts";
import { type Conversation, type OnMessage, startConversation } from "./conversation.ts";

/** What a WebSocket needs of a client. */
export interface SocketContext extends HttpContext {
  readonly options: HttpContext["options"] & WebSocketOptions;
}

/** Options of a client for WebSockets. */
export interface WebSocketOptions {
  /** Opens WebSockets instead of the global constructor, which Node 20 does not have. */
  readonly openWebSocket?: OpenWebSocket | undefined;
}

/** The request for a WebSocket. */
export type SocketRequest = Pick<ResolvedRequest, "name" | "url" | "headers"> &
  Partial<Pick<ResolvedRequest, "added" | "notes">> & { readonly body?: string | undefined };

/** An open WebSocket. */
export interface OpenedSocket {
  readonly conversation: Conversation;
  readonly deadline: Deadline;
  readonly sent: SentRequest;
  readonly warnings: readonly string[];
  readonly notes: readonly string[] | undefined;
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
  context: SocketContext,
  onMessage: OnMessage,
  isBounded = false,
): Promise<OpenedSocket> {
  const { options, inFlight, secrets, cookies } = context;
  const { timeout, isTimed } = settingsOf(sendOptions, context.settings);
  const warnings: string[] = [];
  const { hop, sent } = await prepareHandshake(request, sendOptions, timeout, warnings, context);
  learnRequest(sent, secrets);
  const connection = await connectionFor(sendOptions, context);
  const { method, url } = sent;
  const flight: { isOpen?: true } & PendingRequest = { method, url, startedAt: new Date() };
  const deadline = inFlight.start(flight, timeout, sendOptions.signal);
  const release = (): void => inFlight.end(deadline);
  const startedAt = new Date();
  const start = performance.now();
  let refusal: Exchange | undefined;
  try {
    const open = options.openWebSocket ?? openGlobalWebSocket;
    let received: HeaderList = [];
    const onAnswer = (headers: HeaderList): void => {
      secrets.learn({ kind: "headers", headers }, "server");
      received = headers;
    };
    const onRefused = ({ body, headers, ...head }: Refusal): void => {
      const time = performance.now() - start;
      refusal = createExchange({
        request: sent,
        url,
        response: { ...head, headers: toHeaders(headers) },
        content: createContent([body]),
        cut: false,
        timing: { startedAt, headers: time, total: time },
        redirects: [],
        warnings,
        notes: request.notes,
        secrets: [secrets],
        show: context.show,
      });
      learnAnswer(refusal, secrets);
    };
    const handshake = takeProtocols(sent.headers);
    const socket = await open(url, { ...handshake, connection, onAnswer, onRefused });
    const isLimited = isBounded && isTimed;
    const conversation = startConversation(socket, deadline, start, isLimited, onMessage);
    await conversation.opened;
    flight.isOpen = true;
    if (connection?.insecure === true && url.startsWith("wss:")) warnings.push(INSECURE_WARNING);
    if (keepsCookies(sendOptions, context)) {
      const lines = received.filter(([name]) => name.toLowerCase() === "set-cookie");
      warnings.push(
        ...(await cookies.receive(
          hop.url,
          lines.map(([, value]) => fromByteString(value)),
        )),
      );
    }
    const { notes } = request;
    return { conversation, deadline, sent, warnings, notes, start, release };
  } catch (cause) {
    release();
    if (cause instanceof TypeError && UNSENT.has(cause.name)) throw cause;
    throw noResponse({
      request: sent,
      hop: { method, url: new URL(url) },
      redirects: [],
      reason: deadline.stop ?? (refusal ? { kind: "refused", cause } : { kind: "failed", cause }),
      partial: refusal,
      secrets,
    });
  }
}

function toHeaders(list: HeaderList): Headers {
  return new Headers(list.map(([name, value]): [string, string] => [name, value]));
}

function keepsCookies(sendOptions: SendOptions, { options }: SocketContext): boolean {
  return sendOptions.cookies ?? options.cookies ?? true;
}

async function connectionFor(
  sendOptions: SendOptions,
  { options, secrets }: SocketContext,
): Promise<ConnectionOptions | undefined> {
  const connection = { ...options.connection, ...sendOptions.connection };
  if (Object.values(connection).every((it) => it === undefined)) return undefined;
  return await readConnection(connection, options, secrets);
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

/**
 * The opening handshake (RFC 6455, section 4.1) with the cookies and credentials of a client, and the request as the
 * exchange has it.
 *
 * @throws {UnsendableRequestError} The credentials need a challenge, which no WebSocket exposes.
 */
async function prepareHandshake(
  { body, ...request }: SocketRequest,
  sendOptions: SendOptions,
  timeout: number,
  warnings: string[],
  context: SocketContext,
): Promise<{ readonly hop: Outgoing; readonly sent: SentRequest }> {
  const flight = { method: "WEBSOCKET", url: request.url, startedAt: new Date() };
  const credentials = await resolveCredentials(request, flight, sendOptions, timeout, context);
  const handshake = { added: [], ...request, method: "GET", body: undefined, warnings: [] };
  const resolved = await applyRequestOptions(handshake, credentials, {});
  // The handshake is a GET request over http or https.
  const asHttp = { ...resolved, url: resolved.url.replace(/^ws(?=s?:)/i, "http") };
  const outgoing = toOutgoing(asHttp, warnings, context.options.openWebSocket !== undefined);
  const withCookies = keepsCookies(sendOptions, context)
    ? addStoredCookies(outgoing, context.cookies)
    : outgoing;
  const hop =
    credentials === undefined
      ? withCookies
      : await authorize(withCookies, credentials.authorizer, sendOptions.signal);
  const isUnchanged = hop.headers === withCookies.headers && hop.url === withCookies.url;
  if (credentials !== undefined && isUnchanged) throw needsChallenge(request.url);
  const sent = toSent(resolved, outgoing, hop);
  const url = hop.url.href.replace(/^http/, "ws");
  return { hop, sent: { ...sent, method: "WEBSOCKET", url, body } };
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
  send(data: string | (Uint8Array & { readonly buffer: ArrayBuffer })): void;
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
  readonly connection?: ConnectionOptions | undefined;
  /** Call it with the headers of the response before `open`, if the runtime exposes them. */
  readonly onAnswer?: ((headers: HeaderList) => void) | undefined;
  /** Call it with a response that refuses the handshake before the WebSocket closes, if the runtime exposes it. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
}

/** A response that refuses the handshake of a WebSocket (RFC 6455, 4.1). */
export interface Refusal {
  /** The status code. */
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
  /** The headers in their order and letter case. */
  readonly headers: HeaderList;
  /** The body as it came. */
  readonly body: Uint8Array;
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
  return Object.fromEntries(toHeaders(headers));
}
