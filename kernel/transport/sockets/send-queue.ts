import type { Socket } from "node:net";
import type { EncodedMessage } from "../zmtp/mod.ts";
import type { HighWaterMark } from "./socket.ts";

/** Written at once before waiting for the peer: few system calls, little memory. */
const BATCH_BYTES = 262_144;

/** Queues whole messages for one peer and writes them as fast as the peer reads. */
export class SendQueue {
  readonly #socket: Socket;
  readonly #mark: HighWaterMark;
  #waiting: EncodedMessage[] = [];
  /** Index of the first message not yet written: shift() would move a long array for each message. */
  #head = 0;
  #waitingBytes = 0;
  #blocked = false;
  #ending = false;

  /** @param onDrain Called whenever the queue has become shorter. */
  constructor(socket: Socket, mark: HighWaterMark, onDrain: () => void) {
    this.#socket = socket;
    this.#mark = mark;
    socket.on("drain", () => {
      this.#flush();
      onDrain();
    });
  }

  /** How full the queue is: 0 while the peer keeps up, 1 and more at the high-water mark. */
  get level(): number {
    if (!this.#blocked) return 0;
    const messages = this.#waiting.length - this.#head;
    return Math.max(this.bytes / this.#mark.bytes, messages / this.#mark.messages);
  }

  /** Bytes that are not written yet. */
  get bytes(): number {
    return this.#waitingBytes + this.#socket.writableLength;
  }

  push(message: EncodedMessage): void {
    if (this.#ending) return;
    this.#waiting.push(message);
    this.#waitingBytes += message.size;
    if (!this.#blocked) this.#flush();
  }

  /** Ends the stream once everything is written. */
  end(): void {
    this.#ending = true;
    if (!this.#blocked) this.#flush();
  }

  #flush(): void {
    this.#blocked = false;
    let written = 0;
    this.#socket.cork();
    while (!this.#blocked || written < BATCH_BYTES) {
      const message = this.#waiting[this.#head];
      if (message === undefined) break;
      this.#head += 1;
      this.#waitingBytes -= message.size;
      written += message.size;
      for (const chunk of message.chunks) {
        this.#blocked = !this.#socket.write(chunk) || this.#blocked;
      }
    }
    this.#socket.uncork();
    this.#compact();
    if (this.#ending && this.#waiting.length === 0) this.#socket.end();
  }

  #compact(): void {
    if (this.#head < 1024 && this.#head < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}
