import { parseJson } from "../exchange/mod.ts";
import type { Deadline } from "../http/mod.ts";
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
  /** Counts a message that waits for whoever takes it: where many do, the server waits as well. */
  wait(message: SocketMessage): void;
  /** A message that has waited was taken. */
  taken(message: SocketMessage): void;
  /** Why it was closed from this side, where it had to be. */
  readonly failure: Error | undefined;
}

/** Told of each message of either side. */
export type OnMessage = (message: SocketMessage, conversation: Conversation) => void;

/** So much of a server may wait here: beyond it the server has to, or else the connection is closed. */
const MOST_WAITING = { messages: 10_000, bytes: 32 * 1024 * 1024 } as const;
/** How long the other side may take to agree to the end of what was ended, in milliseconds. */
const PATIENCE = 1_000;

/** How large a message is, about. */
export function sizeOf({ data }: SocketMessage): number {
  return data.length;
}

/**
 * Listens to a WebSocket from its beginning; an abort closes it.
 *
 * @param isLimited Whether the time limit holds for all of it, and not for its opening alone.
 */
export function startConversation(
  socket: WebSocketLike,
  deadline: Deadline,
  start: number,
  isLimited: boolean,
  onMessage: OnMessage,
): Conversation {
  socket.binaryType = "arraybuffer";
  const waiting = { messages: 0, bytes: 0 };
  let isPaused = false;
  let hasEnded = false;
  let isClosing = false;
  let cause: unknown;
  let failure: Error | undefined;

  const take = (from: SocketMessage["from"], data: string | Uint8Array): SocketMessage => {
    const message = createMessage(from, performance.now() - start, data);
    onMessage(message, conversation);
    return message;
  };
  const isOver = (share: number): boolean =>
    waiting.messages > MOST_WAITING.messages * share || waiting.bytes > MOST_WAITING.bytes * share;
  const resume = (): void => {
    if (isPaused) socket.resume?.();
    isPaused = false;
  };
  const close = (code?: number, reason?: string): void => {
    isClosing = true;
    // The other side's word on it comes behind what it has sent.
    resume();
    socket.close(code, reason);
  };
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      if (!isLimited) deadline.lift();
      resolve();
    });
    socket.addEventListener("error", (event: { message?: string; error?: unknown }) => {
      cause ??= event.error ?? event.message;
    });
    socket.addEventListener("close", ({ code, reason }: SocketClose) => {
      const state = reason === "" ? `code ${code}` : `code ${code}, ${reason}`;
      const message = `the connection was closed before it was open (${state})`;
      reject(cause instanceof Error ? cause : new Error(message, { cause }));
    });
    deadline.signal.addEventListener("abort", () => reject(deadline.signal.reason));
  });
  opened.catch(() => undefined);
  let end: (how: SocketClose) => void = () => undefined;
  const closed = new Promise<SocketClose>((resolve) => {
    end = (how) => {
      hasEnded = true;
      resolve(how);
    };
  });
  /** The other side may never agree; whoever waits here does not wait for it. */
  const cut = (reason: string): void => {
    close();
    end({ code: 1006, reason, wasClean: false });
    const timer: unknown = setTimeout(() => socket.terminate?.(), PATIENCE);
    (timer as { unref?: () => void }).unref?.();
  };
  socket.addEventListener("close", ({ code, reason, wasClean }: SocketClose) =>
    end({ code, reason, wasClean }),
  );
  deadline.signal.addEventListener("abort", () => cut("aborted"));
  socket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
    // What comes between the stop and the end of the connection was not asked for any more.
    if (hasEnded || (isClosing && isOver(1))) return;
    take("server", typeof data === "string" ? data : new Uint8Array(data));
  });
  if (deadline.signal.aborted) cut("aborted");
  const conversation: Conversation = {
    opened,
    closed,
    wait(message) {
      waiting.messages += 1;
      waiting.bytes += sizeOf(message);
      if (isPaused || isClosing || !isOver(1)) return;
      if (socket.pause !== undefined && socket.resume !== undefined) {
        isPaused = true;
        socket.pause();
        return;
      }
      const { messages, bytes } = waiting;
      failure = new RangeError(
        `The WebSocket was closed: ${messages} messages (${bytes} bytes) of the server wait to be read, ` +
          "and the WebSocket of this runtime cannot make a server wait",
      );
      cut(failure.message);
    },
    taken(message) {
      waiting.messages -= 1;
      waiting.bytes -= sizeOf(message);
      if (!isOver(0.5)) resume();
    },
    get failure() {
      return failure;
    },
    send(data) {
      // A view of shared memory cannot be sent; every other one can.
      socket.send(typeof data === "string" ? data : new Uint8Array(data));
      return take("client", data);
    },
    close,
  };
  return conversation;
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
