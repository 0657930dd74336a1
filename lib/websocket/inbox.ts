import type { OnMessage, SocketMessage } from "./conversation.ts";

/** The messages of a server that wait for their one reader. */
export interface Inbox {
  readonly push: OnMessage;
  /** No more will come. */
  end(): void;
  /** What a program iterates over; leaving the loop closes the connection. */
  readonly reader: AsyncIterableIterator<SocketMessage>;
}

/**
 * Creates an empty inbox; the conversation is told how many messages wait here.
 *
 * @param leave Called when the reader leaves before the end.
 */
export function createInbox(leave: () => void): Inbox {
  let conversation: Parameters<OnMessage>[1] | undefined;
  let messages: SocketMessage[] = [];
  let at = 0;
  let hasEnded = false;
  let hasFailed = false;
  let wake = (): void => undefined;

  function take(): SocketMessage | undefined {
    const message = messages[at];
    if (message === undefined) return undefined;
    at += 1;
    // Those that were taken are let go, a thousand at once.
    if (at === messages.length || at >= 1_000) {
      messages = messages.slice(at);
      at = 0;
    }
    conversation?.taken(message);
    return message;
  }

  const reader: AsyncIterableIterator<SocketMessage> = {
    async next() {
      for (;;) {
        const message = take();
        if (message !== undefined) return { value: message, done: false };
        // It is thrown once; from then on there is nothing more.
        if (conversation?.failure !== undefined && !hasFailed) {
          hasFailed = true;
          throw conversation.failure;
        }
        if (hasEnded) return { value: undefined, done: true };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async return() {
      if (!hasEnded) leave();
      hasEnded = true;
      while (take() !== undefined);
      wake();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return reader;
    },
  };
  return {
    reader,
    push(message, from) {
      if (hasEnded) return;
      conversation = from;
      messages.push(message);
      from.wait(message);
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
  };
}
