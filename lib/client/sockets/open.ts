import type { ClientOptions, SendOptions } from "../client.ts";
import { type Deadline, startDeadline } from "../deadline.ts";
import type { HeaderList, SentRequest } from "../exchange.ts";
import { learnRequest } from "../learn-secrets.ts";
import { noResponse } from "../no-response.ts";
import { type PreparedRequest, prepareRequest } from "../prepare.ts";
import type { SenderParts } from "../sender.ts";
import { clientSettings, requestSettings } from "../settings.ts";
import { type Conversation, type SocketMessage, startConversation } from "./conversation.ts";
import { openGlobalWebSocket } from "./web-socket.ts";

/** What opening a WebSocket needs of a client. */
export interface SocketAccess extends Pick<SenderParts, "inFlight" | "secrets" | "show" | "add"> {
  readonly options: ClientOptions;
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

/**
 * Opens a WebSocket, known to `pending` and `abort` until it is released.
 *
 * @throws {NoResponseError} It does not open.
 * @throws {UnsendableRequestError} It cannot be asked for.
 */
export async function openSocket(
  request: SocketRequest,
  sendOptions: SendOptions,
  access: SocketAccess,
  onMessage: (message: SocketMessage) => void,
): Promise<OpenedSocket> {
  const { options, inFlight, secrets } = access;
  const prepared = prepareHandshake(request);
  const sent = { ...prepared.sent, url: toSocketUrl(prepared.url) };
  learnRequest(sent, secrets);
  const { timeout } = requestSettings(sendOptions, clientSettings(options));
  const deadline = startDeadline(timeout, sendOptions.signal);
  const { method, url } = sent;
  inFlight.set(deadline, { method, url, startedAt: new Date() });
  const release = (): void => {
    inFlight.delete(deadline);
    deadline.release();
  };
  const start = performance.now();
  try {
    const open = options.openWebSocket ?? openGlobalWebSocket;
    const socket = await open(url, takeProtocols(sent.headers));
    const conversation = startConversation(socket, deadline, start, onMessage);
    await conversation.opened;
    return { conversation, deadline, sent, warnings: prepared.warnings, start, release };
  } catch (cause) {
    release();
    if (cause instanceof TypeError && cause.name === "UnsendableRequestError") throw cause;
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

/** The handshake is a GET: what holds for its URL and its headers holds here. */
function prepareHandshake(request: SocketRequest): PreparedRequest {
  const { body, ...rest } = request;
  const prepared = prepareRequest({
    added: [],
    ...rest,
    url: request.url.replace(/^ws(?=s?:)/i, "http"),
    method: "GET",
    body: undefined,
    warnings: [],
  });
  const { sent } = prepared;
  return { ...prepared, sent: { ...sent, method: "WEBSOCKET", writtenUrl: request.url, body } };
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
