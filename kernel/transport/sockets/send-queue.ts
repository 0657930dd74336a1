import type { Socket } from "node:net";
import type { EncodedMessage } from "../zmtp/mod.ts";
import type { HighWaterMark } from "./socket.ts";

/** What waits for one peer: whole messages, written as fast as the peer reads them. */
export interface SendQueue {
  /** How full the queue is: 0 while the peer keeps up, 1 and more at the high-water mark. */
  level(): number;
  /** Bytes that wait. */
  bytes(): number;
  push(message: EncodedMessage): void;
  /** Ends the stream once everything is written. */
  end(): void;
}

/** Written at once before waiting for the peer: few system calls, little memory. */
const BATCH_BYTES = 262_144;

/**
 * Creates the queue before a socket.
 *
 * @param onDrain Called whenever the queue has become shorter.
 */
export function createSendQueue(
  socket: Socket,
  mark: HighWaterMark,
  onDrain: () => void,
): SendQueue {
  let waiting: EncodedMessage[] = [];
  // Index of the first message not yet written: shift() would move a long array for each message.
  let head = 0;
  let waitingBytes = 0;
  let blocked = false;
  let ending = false;

  socket.on("drain", () => {
    flush();
    onDrain();
  });
  return { level, bytes, push, end };

  function level(): number {
    if (!blocked) return 0;
    return Math.max(bytes() / mark.bytes, (waiting.length - head) / mark.messages);
  }

  function bytes(): number {
    return waitingBytes + socket.writableLength;
  }

  function push(message: EncodedMessage): void {
    if (ending) return;
    waiting.push(message);
    waitingBytes += message.size;
    if (!blocked) flush();
  }

  function end(): void {
    ending = true;
    if (!blocked) flush();
  }

  function flush(): void {
    blocked = false;
    let written = 0;
    socket.cork();
    while (!blocked || written < BATCH_BYTES) {
      const message = waiting[head];
      if (message === undefined) break;
      head += 1;
      waitingBytes -= message.size;
      written += message.size;
      for (const chunk of message.chunks) blocked = !socket.write(chunk) || blocked;
    }
    socket.uncork();
    compact();
    if (ending && waiting.length === 0) socket.end();
  }

  function compact(): void {
    if (head < 1024 && head < waiting.length) return;
    waiting = waiting.slice(head);
    head = 0;
  }
}
