import { createEnds } from "../../streaming/mod.ts";
import { type DisplayData, jupyterDisplay } from "../exchange.ts";
import type { HeadersInput } from "../header-list.ts";
import type { SendOptions } from "../send-options.ts";
import { denoInspect, nodeInspect } from "../show.ts";
import type { SocketClose, SocketMessage } from "./conversation.ts";
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
  /** The first and the last messages of both sides, 500 each. */
  readonly messages: readonly SocketMessage[];
  /** How many messages of the server were dropped, since nobody read them. */
  readonly dropped: number;
  /** Settles when it is closed, by whichever side. */
  readonly closed: Promise<SocketClose>;
  /**
   * Sends a message: a text or bytes as they are, anything else as JSON.
   *
   * @throws {TypeError} It has no JSON form.
   */
  send(data: unknown): void;
  /** The next message of the server; `undefined` when it has been closed. */
  next(): Promise<SocketMessage | undefined>;
  /** Closes it and waits until it is closed. */
  close(code?: number, reason?: string): Promise<SocketClose>;
  /** The messages as plain text. */
  toString(): string;
  /** How the messages look, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** Opens a WebSocket to be used by a program. */
export async function createSocketSession(
  request: SocketRequest,
  options: SendOptions,
  access: SocketAccess,
): Promise<SocketSession> {
  const ends = createEnds<SocketMessage>({ first: 500, last: 500 });
  const { conversation, sent, release } = await openSocket(request, options, access, (message) => {
    const { data } = message;
    // A program may print it as soon as it is here.
    if (typeof data === "string") access.secrets.learnBody(() => data, "");
    ends.push(message);
  });
  const { closed, reader } = conversation;
  void closed.then(release);
  const messages = (): readonly SocketMessage[] => [...ends.first, ...ends.last];
  const display = (): DisplayData => access.show(messages().map(toRow));
  const text = (): string => display()["text/plain"];
  return Object.freeze({
    url: sent.url,
    get messages() {
      return messages();
    },
    get dropped() {
      return conversation.dropped;
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
