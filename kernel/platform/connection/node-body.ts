import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { IncomingBody, Step } from "./dispatch.ts";
import { decode } from "./node-decode.ts";

/** So many bytes wait to be read before the server is told to wait. */
const WAITING = 262_144;

/** A class, since every answer has one; a web stream would cost as much as the request. */
export class NodeBody implements IncomingBody {
  readonly #source: Readable;
  readonly #message: IncomingMessage;
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #waiting = 0;
  #state: "open" | "ended" | "failed" = "open";
  #cause: unknown;
  #wake: (() => void) | undefined;

  constructor(message: IncomingMessage) {
    const encoding = message.headers["content-encoding"];
    const source = encoding === undefined ? message : decode(message, encoding);
    this.#source = source;
    this.#message = message;
    source.on("data", (piece: Buffer) => this.#push(piece));
    source.on("end", () => this.#settle("ended"));
    source.on("error", (cause) => this.fail(cause));
    // One that is destroyed without a reason tells neither.
    source.on("close", () => this.fail(new Error("connection closed")));
  }

  getReader(): IncomingBody {
    return this;
  }

  async read(): Promise<Step> {
    while (this.#pieces.length === 0) {
      if (this.#state === "ended") return { done: true };
      if (this.#state === "failed") throw this.#cause;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#pieces.shift() as Uint8Array<ArrayBuffer>;
    this.#waiting -= value.byteLength;
    if (this.#waiting < WAITING && this.#source.isPaused()) this.#source.resume();
    return { done: false, value };
  }

  cancel(): Promise<void> {
    this.#settle("ended");
    this.#pieces = [];
    this.#message.destroy();
    return Promise.resolve();
  }

  /** Breaks it off; what has come is still read. */
  fail(cause: unknown): void {
    if (this.#state !== "open") return;
    this.#cause = cause;
    this.#settle("failed");
    this.#message.destroy();
  }

  #push(piece: Buffer): void {
    // Of a buffer, `slice` is a view, and of a Uint8Array a copy.
    const { buffer, byteOffset, byteLength } = piece;
    this.#pieces.push(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
    this.#waiting += byteLength;
    if (this.#waiting > WAITING) this.#source.pause();
    this.#notify();
  }

  #settle(state: "ended" | "failed"): void {
    if (this.#state !== "open") return;
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
