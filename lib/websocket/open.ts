import {
  type HeaderList,
  learnRequest,
  type PendingRequest,
  type SentRequest,
} from "../exchange/mod.ts";
import {
  type ConnectionOptions,
  clientSettings,
  type Deadline,
  INSECURE_WARNING,
  noResponse,
  readConnection,
  requestSettings,
  type SenderParts,
  type SendOptions,
} from "../http/mod.ts";
import { type Conversation, type OnMessage, startConversation } from "./conversation.ts";
import { type HandshakeContext, prepareHandshake } from "./prepare-handshake.ts";
import { type OpenWebSocket, openGlobalWebSocket } from "./web-socket.ts";

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
