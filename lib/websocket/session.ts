import {
  createEnds,
  type DisplayData,
  denoInspect,
  jupyterDisplay,
  nodeInspect,
} from "../exchange/mod.ts";
import type { HeadersInput, SendOptions } from "../http/mod.ts";
import { type OnMessage, type SocketClose, type SocketMessage, sizeOf } from "./conversation.ts";
import { createInbox } from "./inbox.ts";
import { openSocket, type SocketAccess, type SocketRequest } from "./open.ts";

/** Options of `client.websocket`. */
export interface SocketOptions
  extends Pick<SendOptions, "signal" | "timeout" | "auth" | "cookies" | "connection"> {
  /** Headers of the handshake; the client's own are sent as well. */
  readonly headers?: HeadersInput;
  /** Protocols of which the server may choose one. */
  readonly protocols?: readonly string[];
}

/** A WebSocket that is open. A loop over it gives the messages of the server, until it is closed. */
export interface SocketSession extends AsyncIterable<SocketMessage> {
  /** The URL that it was opened with. */
  readonly url: string;
  /** The first and the last messages of both sides, 500 each, and no more than 8 MiB of each. */
  readonly messages: readonly SocketMessage[];
  /** Settles when it is closed, by whichever side. */
  readonly closed: Promise<SocketClose>;
  /**
   * Sends a message: a text or bytes as they are, anything else as JSON.
   *
   * @throws {TypeError} It has no JSON form.
   */
  send(data: unknown): void;
  /**
   * The next message of the server; `undefined` when it has been closed. Where more than 10,000 messages
   * or 32 MiB wait to be read, the server has to wait.
   *
   * @throws {RangeError} More than that waited, and the runtime's WebSocket cannot make a server wait.
   */
  next(): Promise<SocketMessage | undefined>;
  /** Closes it and waits until it is closed. */
  close(code?: number, reason?: string): Promise<SocketClose>;
  /** The messages as plain text. */
  toString(): string;
  /** How the messages look, by media type. */
  [jupyterDisplay](): DisplayData;
}

const KEPT = 8 * 1024 * 1024;
const LONG = 65_536;

/** Opens a WebSocket to be used by a program. */
export async function createSocketSession(
  request: SocketRequest,
  options: SendOptions,
  access: SocketAccess,
): Promise<SocketSession> {
  const { secrets } = access;
  const ends = createEnds<SocketMessage>({ first: 500, last: 500, size: KEPT, sizeOf });
  const inbox = createInbox(() => conversation.close());
  const { reader } = inbox;
  const onMessage: OnMessage = (message, from) => {
    const { data } = message;
    // A program may print it as soon as it is here.
    if (typeof data === "string")
      secrets.learn({ kind: "body", text: () => data, mediaType: "" }, "server");
    // What waits to be looked through is kept alive.
    if (data.length > LONG) secrets.locate("");
    ends.push(message);
    if (message.from === "server") inbox.push(message, from);
  };
  const { conversation, sent, release } = await openSocket(request, options, access, onMessage);
  const { closed } = conversation;
  void closed.then(() => {
    inbox.end();
    release();
  });
  const messages = (): readonly SocketMessage[] => [...ends.first, ...ends.last];
  const display = (): DisplayData => access.show(messages().map(toRow));
  const text = (): string => display()["text/plain"];
  return Object.freeze({
    url: sent.url,
    get messages() {
      return messages();
    },
    closed,
    send(data: unknown) {
      access.inFlight.check();
      const isPlain = typeof data === "string" || data instanceof Uint8Array;
      const json: unknown = isPlain ? undefined : JSON.stringify(data);
      if (!isPlain && typeof json !== "string") {
        throw new TypeError(`Cannot send ${String(data)}: it has no JSON form`);
      }
      conversation.send(isPlain ? data : String(json));
    },
    async next() {
      const { value, done } = await reader.next();
      return done ? undefined : value;
    },
    close(code = 1000, reason = "") {
      conversation.close(code, reason);
      return closed;
    },
    [Symbol.asyncIterator]: () => reader,
    toString: text,
    [jupyterDisplay]: display,
    ...{ [nodeInspect]: text, [denoInspect]: text },
  });
}

function toRow({ at, from, data }: SocketMessage): object {
  const message = typeof data === "string" ? data : `${data.byteLength} bytes`;
  return { "at ms": at, from, message };
}
