import type { HeaderList, SentRequest } from "../exchange/mod.ts";
import { learnRequest } from "../exchange/mod.ts";
import type { ConnectionOptions, Deadline, SenderParts, SendOptions } from "../http/mod.ts";
import {
  clientSettings,
  noResponse,
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  readConnection,
  requestSettings,
  UNCHECKED,
} from "../http/mod.ts";
import { type Conversation, type OnMessage, startConversation } from "./conversation.ts";
import { type HandshakeContext, prepareHandshake } from "./prepare-handshake.ts";
import { type OpenWebSocket, openGlobalWebSocket } from "./web-socket.ts";

/** What opening a WebSocket needs of a client. */
export interface SocketAccess extends HandshakeContext, Pick<SenderParts, "show" | "add"> {
  readonly options: HandshakeContext["options"] & WebSocketOptions;
}

/** What a client may be told about WebSockets. */
export interface WebSocketOptions {
  /** Opens WebSockets in the place of the global constructor, which Node 20 does not have. */
  readonly openWebSocket?: OpenWebSocket;
}

/** The request of a WebSocket. */
export interface SocketRequest {
  readonly name?: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly added?: readonly string[];
  readonly body?: string | undefined;
}

/** A WebSocket that is open. */
export interface OpenedSocket {
  readonly conversation: Conversation;
  readonly deadline: Deadline;
  readonly sent: SentRequest;
  readonly warnings: readonly string[];
  /** When it was asked for, by `performance.now()`. */
  readonly start: number;
  /** It is no longer on its way. */
  release(): void;
}

/** Errors that say themselves why nothing was sent. */
const SAID: ReadonlySet<string> = new Set(["UnsendableRequestError", "ConnectionError"]);

/**
 * Opens a WebSocket, known to `pending` and `abort` until it is released.
 *
 * @param isWhole Whether a time limit that was set holds to its end, and not for its opening alone.
 * @throws {NoResponseError} It does not open.
 * @throws {UnsendableRequestError} It cannot be asked for.
 */
export async function openSocket(
  request: SocketRequest,
  sendOptions: SendOptions,
  access: SocketAccess,
  onMessage: OnMessage,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<OpenedSocket> {
  const { options, inFlight, secrets } = access;
  const { body, ...rest } = request;
  const asked = { added: [], ...rest, method: "GET", body: undefined, warnings: [] };
  const dressed = await prepareHandshake(asked, toHandshakeRequest, sendOptions, access);
  const sent: SentRequest = {
    ...dressed.prepared.sent,
    method: "WEBSOCKET",
    url: toSocketUrl(dressed.url),
    writtenUrl: request.url,
    headers: dressed.headers,
    added: [...dressed.prepared.sent.added, ...dressed.added],
    body,
  };
  learnRequest(sent, secrets);
  const connected = await connectionFor(sendOptions, access);
  const isUnchecked = connected.connection?.insecure === true;
  const warnings = isUnchecked ? [...dressed.warnings, UNCHECKED] : dressed.warnings;
  const { timeout, isTimed } = requestSettings(sendOptions, clientSettings(options));
  // A limit that somebody has set holds to the end of what has one; the usual one is for the opening.
  const isLimited = isWhole && isTimed;
  const { method, url } = sent;
  const flight = { method, url, startedAt: new Date() };
  const deadline = inFlight.start(flight, timeout, sendOptions.signal);
  const release = (): void => inFlight.end(deadline);
  const start = performance.now();
  try {
    const open = options.openWebSocket ?? openGlobalWebSocket;
    let answered: HeaderList = [];
    const onAnswer = (headers: HeaderList): void => {
      secrets.learn({ kind: "headers", headers }, "server");
      answered = headers;
    };
    const socket = await open(url, { ...takeProtocols(sent.headers), ...connected, onAnswer });
    const conversation = startConversation(socket, deadline, start, isLimited, onMessage);
    await conversation.opened;
    const told = await dressed.receive(answered);
    return { conversation, deadline, sent, warnings: [...warnings, ...told], start, release };
  } catch (cause) {
    release();
    if (cause instanceof TypeError && SAID.has(cause.name)) throw cause;
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
  const asked = { ...options.connection, ...sendOptions.connection };
  if (Object.values(asked).every((it) => it === undefined)) return {};
  return { connection: await readConnection(asked, options, secrets) };
}

/** The handshake is a GET: what holds for its URL and its headers holds here. */
function toHandshakeRequest(request: ResolvedRequest): PreparedRequest {
  return prepareRequest({ ...request, url: request.url.replace(/^ws(?=s?:)/i, "http") });
}

function toSocketUrl({ href }: URL): string {
  return href.replace(/^http/, "ws");
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
