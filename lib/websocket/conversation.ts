import type { Untyped } from "../exchange/mod.ts";
import type { Deadline } from "../http/mod.ts";
import { parseJson } from "../json/mod.ts";
import type { WebSocketLike } from "./open.ts";

/** A message of a WebSocket, from either side. */
export interface SocketMessage {
  /** Who sent it. */
  readonly from: "client" | "server";
  /** Milliseconds since the WebSocket was requested. */
  readonly at: number;
  /** Text, or bytes. */
  readonly data: string | Uint8Array;
  /** The text parsed as JSON. @throws {SyntaxError} It is not JSON. */
  readonly json: Untyped;
}

/** How a WebSocket was closed. */
export interface SocketClose {
  /** The status code of RFC 6455, section 7.4. */
  readonly code: number;
  /** The reason, which is often empty. */
  readonly reason: string;
  /** Whether the closing handshake was completed. */
  readonly wasClean: boolean;
}

/** An open WebSocket. */
export interface Conversation {
  /** Settles when the WebSocket is open; rejects if it does not open. */
  readonly opened: Promise<void>;
  readonly closed: Promise<SocketClose>;
  send(data: string | Uint8Array): SocketMessage;
  close(code?: number, reason?: string): void;
  /** Counts a message that has not been read; above a limit the server has to wait. */
  addUnread(message: SocketMessage): void;
  /** Counts an unread message as read. */
  removeUnread(message: SocketMessage): void;
  /** Why this side had to close it, if it had to. */
  readonly failure: Error | undefined;
}

/** Called with each message of either side. */
export type OnMessage = (message: SocketMessage, conversation: Conversation) => void;

/** Above this limit the server has to wait, or the WebSocket is closed. */
const UNREAD_LIMIT = { messages: 10_000, bytes: 32 * 1024 * 1024 } as const;
/** How long the server may take to close the connection, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/** The approximate size of a message in bytes. */
export function sizeOf({ data }: SocketMessage): number {
  return data.length;
}

/** The state of a conversation. */
interface State {
  readonly socket: WebSocketLike;
  readonly unread: { messages: number; bytes: number };
  isPaused: boolean;
  isClosing: boolean;
  isClosed: boolean;
  failure: Error | undefined;
  /** Settles `closed`. */
  end: (how: SocketClose) => void;
}

/**
 * Starts a conversation on a WebSocket that was just created; an abort closes it.
 *
 * @param start When the WebSocket was requested, from `performance.now()`.
 * @param isLimited Whether the timeout applies to all of it, and not only to its opening.
 */
export function startConversation(
  socket: WebSocketLike,
  deadline: Deadline,
  start: number,
  isLimited: boolean,
  onMessage: OnMessage,
): Conversation {
  socket.binaryType = "arraybuffer";
  const state: State = {
    socket,
    unread: { messages: 0, bytes: 0 },
    isPaused: false,
    isClosing: false,
    isClosed: false,
    failure: undefined,
    end: () => undefined,
  };
  const emit = (from: SocketMessage["from"], data: string | Uint8Array): SocketMessage => {
    const message = createMessage(from, performance.now() - start, data);
    onMessage(message, conversation);
    return message;
  };
  const conversation: Conversation = {
    opened: waitUntilOpen(socket, deadline, isLimited),
    closed: waitUntilClosed(state, deadline),
    addUnread: (message) => addUnread(state, message),
    removeUnread(message) {
      state.unread.messages -= 1;
      state.unread.bytes -= sizeOf(message);
      if (!exceedsLimit(state, 0.5)) resume(state);
    },
    get failure() {
      return state.failure;
    },
    send(data) {
      // A view of shared memory cannot be sent.
      socket.send(typeof data === "string" ? data : new Uint8Array(data));
      return emit("client", data);
    },
    close: (code, reason) => close(state, code, reason),
  };
  socket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
    // While it closes, nobody reads: the buffer may not grow any more.
    if (state.isClosed || (state.isClosing && exceedsLimit(state))) return;
    emit("server", typeof data === "string" ? data : new Uint8Array(data));
  });
  return conversation;
}

function waitUntilOpen(
  socket: WebSocketLike,
  deadline: Deadline,
  isLimited: boolean,
): Promise<void> {
  let cause: unknown;
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      if (!isLimited) deadline.lift();
      resolve();
    });
    socket.addEventListener("error", (event: { message?: string; error?: unknown }) => {
      cause ??= event.error ?? event.message;
    });
    socket.addEventListener("close", ({ code, reason }: SocketClose) => {
      const detail = reason === "" ? `code ${code}` : `code ${code}, ${reason}`;
      const message = `the connection was closed before it was open (${detail})`;
      reject(cause instanceof Error ? cause : new Error(message, { cause }));
    });
    deadline.signal.addEventListener("abort", () => reject(deadline.signal.reason));
  });
  opened.catch(() => undefined);
  return opened;
}

function waitUntilClosed(state: State, deadline: Deadline): Promise<SocketClose> {
  const closed = new Promise<SocketClose>((resolve) => {
    state.end = (how) => {
      state.isClosed = true;
      resolve(how);
    };
  });
  state.socket.addEventListener("close", ({ code, reason, wasClean }: SocketClose) =>
    state.end({ code, reason, wasClean }),
  );
  deadline.signal.addEventListener("abort", () => terminate(state, "aborted"));
  if (deadline.signal.aborted) terminate(state, "aborted");
  return closed;
}

function exceedsLimit({ unread }: State, share = 1): boolean {
  return (
    unread.messages > UNREAD_LIMIT.messages * share || unread.bytes > UNREAD_LIMIT.bytes * share
  );
}

function addUnread(state: State, message: SocketMessage): void {
  const { socket, unread } = state;
  unread.messages += 1;
  unread.bytes += sizeOf(message);
  if (state.isPaused || state.isClosing || !exceedsLimit(state)) return;
  if (socket.pause !== undefined && socket.resume !== undefined) {
    state.isPaused = true;
    socket.pause();
    return;
  }
  state.failure = new RangeError(
    `The WebSocket was closed: ${unread.messages} messages (${unread.bytes} bytes) of the server wait to be ` +
      "read, and the WebSocket of this runtime cannot make the server wait",
  );
  terminate(state, state.failure.message);
}

function resume(state: State): void {
  if (state.isPaused) state.socket.resume?.();
  state.isPaused = false;
}

function close(state: State, code?: number, reason?: string): void {
  state.isClosing = true;
  // The close frame of the server comes after the messages that it has sent.
  resume(state);
  state.socket.close(code, reason);
}

/** Ends the conversation at once, without waiting for the server to agree. */
function terminate(state: State, reason: string): void {
  close(state);
  state.end({ code: 1006, reason, wasClean: false });
  const timer: unknown = setTimeout(() => state.socket.terminate?.(), CLOSE_TIMEOUT);
  (timer as { unref?: () => void }).unref?.();
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
