import { type Channel, createChannel } from "../../streaming/mod.ts";
import type { Deadline } from "../deadline.ts";
import { parseJson } from "../json.ts";
import type { WebSocketLike } from "./web-socket.ts";

/** A message of a WebSocket, from one side or the other. */
export interface SocketMessage {
  /** Who sent it. */
  readonly from: "client" | "server";
  /** Milliseconds since the connection was asked for. */
  readonly at: number;
  /** A text, or bytes. */
  readonly data: string | Uint8Array;
  /** The text as JSON, read when asked for; a `SyntaxError` is thrown where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  readonly json: any;
}

/** How a WebSocket was closed. */
export interface SocketClose {
  /** The status code of RFC 6455, section 7.4. */
  readonly code: number;
  /** The reason in words; often empty. */
  readonly reason: string;
  /** Whether both sides agreed on it. */
  readonly wasClean: boolean;
}

/** Both sides of a WebSocket. */
export interface Conversation {
  /** Settles when it is open; rejects when it does not come to that. */
  readonly opened: Promise<void>;
  readonly closed: Promise<SocketClose>;
  send(data: string | Uint8Array): SocketMessage;
  close(code?: number, reason?: string): void;
  /** How many messages of the server were dropped, since nobody read them. */
  readonly dropped: number;
  /** The messages of the server, for one reader. */
  readonly reader: Channel<SocketMessage>["reader"];
}

/** So many messages of the server may wait for a reader before the oldest are dropped. */
export const MOST_WAITING = 10_000;

/** Listens to a WebSocket from its beginning; an abort closes it. */
export function startConversation(
  socket: WebSocketLike,
  deadline: Deadline,
  start: number,
  onMessage: (message: SocketMessage) => void,
): Conversation {
  socket.binaryType = "arraybuffer";
  let waiting: SocketMessage[] = [];
  let hasEnded = false;
  let isWriting = false;
  let failure: unknown;
  let dropped = 0;
  const channel = createChannel<SocketMessage>(() => socket.close());

  const take = (from: SocketMessage["from"], data: string | Uint8Array): SocketMessage => {
    const message = createMessage(from, performance.now() - start, data);
    onMessage(message);
    return message;
  };
  // A socket cannot be made to wait, so what is not read yet is kept, up to a bound.
  const pump = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      if (!(await channel.write(batch))) break;
    }
    isWriting = false;
    if (hasEnded) channel.close();
  };
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      deadline.lift();
      resolve();
    });
    socket.addEventListener("error", (event: { message?: string; error?: unknown }) => {
      failure ??= event.error ?? event.message;
    });
    socket.addEventListener("close", ({ code, reason }: SocketClose) => {
      const state = reason === "" ? `code ${code}` : `code ${code}, ${reason}`;
      const message = `the connection was closed before it was open (${state})`;
      reject(failure instanceof Error ? failure : new Error(message, { cause: failure }));
    });
    deadline.signal.addEventListener("abort", () => reject(deadline.signal.reason));
  });
  opened.catch(() => undefined);
  const closed = new Promise<SocketClose>((resolve) => {
    const end = (how: SocketClose): void => {
      hasEnded = true;
      resolve(how);
      void pump();
    };
    socket.addEventListener("close", ({ code, reason, wasClean }: SocketClose) =>
      end({ code, reason, wasClean }),
    );
    deadline.signal.addEventListener("abort", () => {
      socket.close();
      // The other side may never agree; whoever waits here does not wait for it.
      end({ code: 1006, reason: "aborted", wasClean: false });
    });
  });
  socket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
    // What comes between the stop and the end of the connection was not asked for any more.
    if (deadline.signal.aborted) return;
    waiting.push(take("server", typeof data === "string" ? data : new Uint8Array(data)));
    if (waiting.length > MOST_WAITING) {
      waiting.shift();
      dropped += 1;
    }
    void pump();
  });
  if (deadline.signal.aborted) socket.close();
  return {
    opened,
    closed,
    reader: channel.reader,
    get dropped() {
      return dropped;
    },
    send(data) {
      // A view of shared memory cannot be sent; every other one can.
      socket.send(typeof data === "string" ? data : new Uint8Array(data));
      return take("client", data);
    },
    close: (code, reason) => socket.close(code, reason),
  };
}

function createMessage(
  from: SocketMessage["from"],
  at: number,
  data: string | Uint8Array,
): SocketMessage {
  return {
    from,
    at: Math.round(at * 10) / 10,
    data,
    get json() {
      return parseJson(typeof data === "string" ? data : new TextDecoder().decode(data));
    },
  };
}
