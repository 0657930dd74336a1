import {
  createEnds,
  type DisplayData,
  inTurn,
  jupyterDisplay,
  type ShowRows,
} from "../exchange/mod.ts";
import type { HeadersInput, SendOptions } from "../http/mod.ts";
import { bytesOf, renderJson, snapshotValue, type Value } from "../interpolation/mod.ts";
import { type OnMessage, type SocketClose, type SocketMessage, sizeOf } from "./conversation.ts";
import { openSocket, type SocketContext, type SocketRequest } from "./open.ts";

/** Options of `client.websocket`. */
export interface SocketOptions
  extends Pick<SendOptions, "signal" | "timeout" | "auth" | "cookies" | "connection"> {
  /** Headers of the handshake, in addition to those of the client. */
  readonly headers?: HeadersInput | undefined;
  /** Subprotocols to offer to the server. */
  readonly protocols?: readonly string[] | undefined;
}

/**
 * An open WebSocket. Iterating over it returns the messages of the server until it is closed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455
 * @example
 * ```ts
 * async function firstAnswer(socket: SocketSession): Promise<unknown> {
 *   socket.send({ type: "hello" });
 *   const message = await socket.next();
 *   await socket.close();
 *   return message?.json;
 * }
 * ```
 */
export interface SocketSession extends AsyncIterable<SocketMessage> {
  /** The URL that it was opened with. */
  readonly url: string;
  /** The first and the last messages of both sides: 500 each, and at most 8 MiB each. */
  readonly messages: readonly SocketMessage[];
  /** Settles when either side has closed it. */
  readonly closed: Promise<SocketClose>;
  /**
   * Sends a message: text and bytes unchanged, anything else as JSON.
   *
   * @throws {TypeError} It cannot be converted to JSON.
   */
  send(data: unknown): void;
  /**
   * The next message of the server; `undefined` after the WebSocket was closed. While more than 10,000
   * messages or 32 MiB are unread, the server has to wait.
   *
   * @throws {RangeError} More messages are unread, and the WebSocket of the runtime cannot make the server wait.
   */
  next(): Promise<SocketMessage | undefined>;
  /** Closes the WebSocket and waits until it is closed. */
  close(code?: number, reason?: string): Promise<SocketClose>;
  /** The messages as a plain text table. */
  toString(): string;
  /** The messages as a table, by media type. */
  [jupyterDisplay](): DisplayData;
}

const KEPT = 8 * 1024 * 1024;
const LARGE = 65_536;

/**
 * Opens a WebSocket for a program.
 *
 * @throws {NoResponseError} It does not open.
 * @throws {UnsendableRequestError} The request is invalid.
 */
export async function createSocketSession(
  request: SocketRequest,
  options: SendOptions,
  context: SocketContext & { readonly showRows: ShowRows },
): Promise<SocketSession> {
  const { secrets } = context;
  const ends = createEnds<SocketMessage>({ first: 500, last: 500, size: KEPT, sizeOf });
  const inbox = createInbox(() => conversation.close());
  const { reader } = inbox;
  const onMessage: OnMessage = (message, from) => {
    const { data } = message;
    // Before the program can print it.
    if (typeof data === "string") {
      secrets.learn({ kind: "body", text: () => data, mediaType: "" }, "server");
    }
    // Runs the deferred scans, which would keep a large message in memory.
    if (data.length > LARGE) secrets.locate("");
    ends.push(message);
    if (message.from === "server") inbox.push(message, from);
  };
  const { conversation, sent, release } = await openSocket(request, options, context, onMessage);
  const { closed } = conversation;
  void closed.then(() => {
    inbox.end();
    release();
  });
  const messages = (): readonly SocketMessage[] => [...ends.first, ...ends.last];
  const session = {
    url: sent.url,
    get messages() {
      return messages();
    },
    closed,
    send(data: unknown) {
      context.inFlight.check();
      conversation.send(typeof data === "string" ? data : (bytesOf(data) ?? jsonOf(data)));
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
  };
  const rows = (): readonly object[] => messages().map(toRow);
  return Object.freeze(context.showRows(session, rows, { times: ["at ms"] }));
}

/** @throws {TypeError} A value has no JSON: a `Blob` and a `Map` would be `{}`. */
function jsonOf(data: unknown): string {
  return renderJson(snapshotValue(data as Value, "data", "omit"));
}

function toRow({ at, from, data }: SocketMessage): object {
  const message = typeof data === "string" ? data : `${data.byteLength} bytes`;
  return { "at ms": at, from, message };
}

/** Messages of the server that have not been read yet. */
interface Inbox {
  readonly push: OnMessage;
  /** Ends the iteration after the messages in the inbox. */
  end(): void;
  /** Iterates over the messages; leaving the loop closes the WebSocket. */
  readonly reader: AsyncIterableIterator<SocketMessage>;
}

/**
 * Creates an empty inbox, which reports unread messages to the conversation.
 *
 * @param leave Called when the loop is left before the end.
 */
export function createInbox(leave: () => void): Inbox {
  let conversation: Parameters<OnMessage>[1] | undefined;
  const messages: SocketMessage[] = [];
  let hasEnded = false;
  let hasFailed = false;
  let wake = (): void => undefined;

  function take(): SocketMessage | undefined {
    const message = messages.shift();
    if (message !== undefined) conversation?.removeUnread(message);
    return message;
  }

  const reader: AsyncIterableIterator<SocketMessage> = {
    next: inTurn<SocketMessage>(async () => {
      for (;;) {
        const message = take();
        if (message !== undefined) return { value: message, done: false };
        if (conversation?.failure !== undefined && !hasFailed) {
          hasFailed = true;
          throw conversation.failure;
        }
        if (hasEnded) return { value: undefined, done: true };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }),
    async return() {
      if (!hasEnded) leave();
      hasEnded = true;
      while (take() !== undefined);
      wake();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => reader,
  };
  return {
    reader,
    push(message, from) {
      if (hasEnded) return;
      conversation = from;
      messages.push(message);
      from.addUnread(message);
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
  };
}
