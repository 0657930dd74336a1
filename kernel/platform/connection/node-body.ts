import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { IncomingBody, PieceReader, Step } from "./dispatch.ts";
import { decode } from "./node-decode.ts";

const DONE: Step = { done: true };

/**
 * The body of an answer. A class, since every answer has one, and read without events where it has
 * come with the head, as most do: a web stream would cost as much as the request.
 */
export class NodeBody implements IncomingBody, PieceReader {
  readonly #message: IncomingMessage;
  /** The message, or what takes the compression off. */
  readonly #source: Readable;
  #state: "open" | "ended" | "failed" = "open";
  #cause: unknown;
  #wake: (() => void) | undefined;

  constructor(message: IncomingMessage) {
    const encoding = message.headers["content-encoding"];
    this.#message = message;
    this.#source = encoding === undefined ? message : decode(message, encoding);
    // Heard from now on: what fails before it is read is not to end the process.
    this.#source.on("error", (cause) => this.fail(cause));
  }

  getReader(): PieceReader {
    return this;
  }

  async read(): Promise<Step> {
    for (;;) {
      if (this.#state === "ended") return DONE;
      const piece: Buffer | null = this.#source.read();
      if (piece !== null) return { done: false, value: bytesOf(piece) };
      if (this.#state === "failed") throw this.#cause;
      if (this.#isOver()) this.#settle("ended");
      else await this.#next();
    }
  }

  cancel(): Promise<void> {
    this.#settle("ended");
    if (this.#source === this.#message && this.#message.complete) this.#message.resume();
    else this.#message.destroy();
    return Promise.resolve();
  }

  /** Notes that the connection has failed, which is nothing to a body that has come whole. */
  lose(cause: unknown): void {
    if (!this.#message.complete) this.fail(cause);
  }

  /** Breaks it off; what has come is still read. */
  fail(cause: unknown): void {
    if (this.#state !== "open") return;
    this.#cause = cause;
    this.#settle("failed");
    this.#message.destroy();
  }

  /** Of a message that has come whole its stream says so a moment later only. */
  #isOver(): boolean {
    const source = this.#source;
    return source.readableEnded || (source === this.#message && this.#message.complete);
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      const isFirst = this.#wake === undefined;
      this.#wake = resolve;
      if (isFirst) this.#listen();
    });
  }

  #listen(): void {
    const source = this.#source;
    // One that is destroyed without a reason tells nothing else.
    const close = (): void => this.fail(new Error("connection closed"));
    if (source.closed) close();
    source.on("close", close);
    source.on("readable", () => this.#wake?.());
    source.on("end", () => this.#settle("ended"));
  }

  #settle(state: "ended" | "failed"): void {
    if (this.#state !== "open") return;
    this.#state = state;
    this.#wake?.();
  }
}

/** In memory of its own: a buffer may be part of one that others use, and its `slice` is a view. */
function bytesOf(piece: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = piece;
  return buffer.byteLength === byteLength
    ? new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
    : new Uint8Array(piece);
}
