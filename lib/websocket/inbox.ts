import { inTurn } from "../exchange/mod.ts";
import type { OnMessage, SocketMessage } from "./conversation.ts";

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
