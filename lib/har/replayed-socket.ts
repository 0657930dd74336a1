import { fromBase64 } from "../exchange/mod.ts";
import type { WebSocketLike } from "../websocket/mod.ts";
import { matches, toPattern, withoutVarying } from "./patterns.ts";
import type { RecordedMessage } from "./read-har.ts";

/** RFC 6455, section 7.4.1: a message violates what the endpoint accepts. */
const REFUSED = 1008;

/** A WebSocket whose server sends recorded messages, each after the messages of the client before it. */
export class ReplayedSocket implements WebSocketLike {
  binaryType = "arraybuffer";
  readonly protocol = "";
  readonly #messages: readonly RecordedMessage[];
  readonly #name: string;
  readonly #listeners = new Map<string, ((event: never) => void)[]>();
  #next = 0;
  #isClosed = false;

  /** @param name What messages call the recording. */
  constructor(messages: readonly RecordedMessage[], name: string) {
    this.#messages = messages;
    this.#name = name;
    // After the caller has added its listeners.
    setTimeout(() => {
      this.#emit("open", {});
      this.#receive();
    });
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.#isClosed) return;
    const recorded = this.#messages[this.#next];
    if (recorded === undefined || !isAlike(recorded, data)) {
      this.close(REFUSED, `the recording "${this.#name}" has another message here`);
      return;
    }
    this.#next += 1;
    setTimeout(() => this.#receive());
  }

  close(code = 1000, reason = ""): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    setTimeout(() => this.#emit("close", { code, reason, wasClean: true }));
  }

  /** Sends what the server sent before the next message of the client, and closes after the last one. */
  #receive(): void {
    for (; !this.#isClosed; this.#next++) {
      const message = this.#messages[this.#next];
      if (message === undefined) this.close();
      else if (message.type === "send") return;
      else this.#emit("message", { data: dataOf(message) });
    }
  }

  #emit(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }
}

function dataOf({ isBinary, data }: RecordedMessage): string | ArrayBuffer {
  return isBinary ? fromBase64(data).buffer : data;
}

function isAlike({ type, isBinary, data }: RecordedMessage, sent: string | Uint8Array): boolean {
  if (type !== "send") return false;
  // The bytes of a message may be generated ones.
  if (typeof sent !== "string") return isBinary;
  const plain = (text: string): string => withoutVarying(text.replace(/\s+/g, ""));
  return !isBinary && matches(toPattern(data).map(plain), plain(sent));
}
