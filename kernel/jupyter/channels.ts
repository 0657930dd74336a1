import { clearTimeout, setTimeout } from "node:timers";
import type { Worker } from "node:worker_threads";
import {
  type CellThread,
  createCellThread,
  createLoopMemory,
  LOOP_PHASES,
  LOOP_SLOTS,
} from "../platform/mod.ts";
import { createInputMemory, InputRequest } from "./input-request.ts";
import type { Dict, Header, Publications } from "./protocol.ts";
import { renderJson } from "./wire.ts";
import type { ToMainThread } from "./worker.ts";

/** A request that the main thread handles. */
export interface Job {
  /** Counts the jobs of a kernel. */
  readonly number: number;
  readonly channel: "shell" | "control";
  readonly header: Header;
  readonly content: Dict;
}

/** What both threads share, from when the main thread listens. */
export interface MainThread {
  /** The inspector of the main thread, if the user has opened it. */
  readonly inspector: string | undefined;
  /** The memory that ends cells that compute. */
  readonly loops: SharedArrayBuffer;
  /** The memory of questions to the user. */
  readonly input: SharedArrayBuffer;
}

/** Messages from the main thread to the socket thread. Contents are JSON. */
export type ToSocketThread =
  | {
      readonly kind: "publish";
      readonly type: string;
      readonly content: string;
      readonly parent: Header | undefined;
    }
  | {
      readonly kind: "stream";
      readonly name: "stdout" | "stderr";
      readonly text: string;
      readonly parent: Header;
    }
  /** The end of a job, with its reply if it has one. It may abort the cells received before it is sent. */
  | {
      readonly kind: "reply";
      readonly job: number;
      readonly content: string | undefined;
      readonly abortsQueue: boolean;
    }
  | { readonly kind: "ask"; readonly job: number; readonly content: string }
  /** The process has received a SIGINT. */
  | { readonly kind: "signal" }
  | { readonly kind: "close"; readonly linger: number };

/** Messages that were posted together, and their weight: about the memory that they take until they are handled. */
export interface Posted {
  readonly messages: readonly ToSocketThread[];
  readonly weight: number;
}

/** What arrives on the channels. */
interface ChannelEvents {
  /** A request to handle; one of the shell channel comes when the one before it has ended. */
  request(job: Job): void;
  interrupt(): void;
  shutdown(): void;
  /** The socket thread has ended unexpectedly; nothing is sent or received any more. */
  failed(error: Error): void;
  log(line: string): void;
}

/** Milliseconds for which messages wait for others while restlab's own code runs, or the socket thread is busy. */
const GATHERING = 10;
/** The weight of messages that wait for no others. */
const MOST_WAITING = 128_000;
/** The weight of a message besides its text, with the header of its request. */
const WEIGHT = 512;
/** How much may be unread before this thread waits: a loop prints faster than any front end reads. */
export const MOST_UNREAD = 8_000_000;
/** Milliseconds after which this thread goes on, should the socket thread be busy or have ended. */
const LONGEST_WAIT = 100;
/** Milliseconds that the socket thread has to end by itself, beyond its linger. */
const CLOSE_GRACE = 500;

/** The five channels of the kernel, whose sockets run in a thread of their own. */
export class Channels {
  /** Resolves when the sockets listen; rejects if one cannot be bound. */
  readonly bound: Promise<void>;
  readonly #events: ChannelEvents;
  readonly #thread: Worker;
  readonly #loops: Int32Array;
  readonly #cells: CellThread;
  readonly #input: InputRequest;
  #onBound = (_failure: string | undefined): void => undefined;
  #onClosed = (): void => undefined;
  #hasFailed = false;
  #isClosing = false;
  #waiting: ToSocketThread[] = [];
  #weight = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param thread Runs the program of the socket thread. */
  constructor(
    thread: Worker,
    { runtime, inspector }: { readonly runtime: string } & Pick<MainThread, "inspector">,
    events: ChannelEvents,
  ) {
    const memory = { loops: createLoopMemory(), input: createInputMemory() };
    this.#events = events;
    this.#thread = thread;
    this.#loops = new Int32Array(memory.loops);
    this.#cells = createCellThread(runtime, this.#loops);
    this.#input = new InputRequest(memory.input);
    this.bound = new Promise((resolve, reject) => {
      this.#onBound = (failure) => (failure === undefined ? resolve() : reject(new Error(failure)));
    });
    // The owner of a thread that fails learns of it by `failed`.
    this.bound.catch(() => undefined);
    thread.on("message", (message: ToMainThread) => this.#receive(message));
    thread.on("error", (error) => this.#fail(error));
    thread.on("exit", (code) => this.#fail(new Error(`The socket thread ended with code ${code}`)));
    thread.postMessage({ inspector, ...memory } satisfies MainThread);
  }

  /** Publishes a message to all front ends, on behalf of the request that caused it. */
  publish<Type extends keyof Publications>(
    type: Type,
    content: Publications[Type],
    { header }: Job,
  ): void {
    this.#post({ kind: "publish", type, content: renderJson(content), parent: header });
  }

  /** Publishes text that a cell wrote; text in quick succession is sent as one message. */
  stream(name: "stdout" | "stderr", text: string, { header }: Job): void {
    this.#post({ kind: "stream", name, text, parent: header });
  }

  /**
   * Ends a job, with its reply if it has one.
   *
   * @param abortsQueue Whether the cells that were received before the reply is sent are aborted.
   */
  reply({ number }: Job, content: object | undefined, abortsQueue = false): void {
    const json = content && renderJson(content);
    this.#post({ kind: "reply", job: number, content: json, abortsQueue });
  }

  /**
   * Asks the user for a line of text and blocks this thread until it arrives, as `prompt()` does
   * everywhere; heartbeat and interrupts are handled meanwhile.
   *
   * @throws InterruptedError if the cell is interrupted instead.
   */
  ask({ number }: Job, prompt: string, password: boolean): string {
    return this.#input.ask(prompt, () => {
      this.#post({ kind: "ask", job: number, content: renderJson({ prompt, password }) });
      this.flush();
    });
  }

  /**
   * Runs restlab's own code between cells. While it runs, messages are posted together: waking the other
   * thread costs more than a message.
   */
  batch(action: () => void): void {
    this.begin();
    try {
      action();
    } finally {
      this.flush();
      this.#cells.setPhase("callbacks");
    }
  }

  /** From now on restlab's own code runs, until the script of a cell. */
  begin(): void {
    this.#cells.setPhase("internal");
  }

  /** Posts the messages that wait, before this thread computes or blocks, and waits while too much is unread. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = this.#waiting;
    if (messages.length === 0) return;
    const weight = this.#weight;
    this.#waiting = [];
    this.#weight = 0;
    Atomics.add(this.#loops, LOOP_SLOTS.unread, weight);
    this.#thread.postMessage({ messages, weight } satisfies Posted);
    // The port has no limit: what a loop prints would fill the memory.
    while (!this.#hasFailed) {
      const unread = Atomics.load(this.#loops, LOOP_SLOTS.unread);
      if (unread <= MOST_UNREAD) return;
      if (Atomics.wait(this.#loops, LOOP_SLOTS.unread, unread, LONGEST_WAIT) === "timed-out")
        return;
    }
  }

  /** Runs the script of a cell, which an interrupt may terminate. */
  runScript<T>(script: () => T): T {
    return this.#cells.runScript(script);
  }

  /** Whether the code of cells should end. Loops ask this, so what waits is not kept back by them. */
  mustEnd(): boolean {
    if (this.#waiting.length > 0) this.#flushInCell();
    return this.#cells.mustEnd();
  }

  /** Reports that an interrupt was received, so that nothing is terminated. */
  acknowledge(): void {
    this.#cells.acknowledge();
  }

  /** Interrupts because the process has received a SIGINT, unless the socket thread receives it. */
  signal(): void {
    if (Atomics.load(this.#loops, LOOP_SLOTS.listening) === 0) this.#post({ kind: "signal" });
  }

  /**
   * Sends what is queued and ends everything.
   *
   * @param linger Milliseconds that front ends have to read what is queued.
   */
  async close(linger: number): Promise<void> {
    this.#isClosing = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, linger + CLOSE_GRACE);
      this.#onClosed = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#post({ kind: "close", linger });
      this.flush();
      if (this.#hasFailed) this.#onClosed();
    });
    await this.#thread.terminate();
  }

  #receive(message: ToMainThread): void {
    switch (message.kind) {
      case "bound":
        this.#onBound(message.failure);
        return;
      case "log":
        this.#events.log(message.line);
        return;
      case "request":
        this.#events.request(message.job);
        return;
      case "closed":
        this.#onClosed();
        return;
      default:
        this.#events[message.kind]();
    }
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onBound(error.message);
    this.#onClosed();
    if (!this.#isClosing) this.#events.failed(error);
  }

  #post(message: ToSocketThread): void {
    this.#waiting.push(message);
    this.#weight += weightOf(message);
    const isInternal = Atomics.load(this.#loops, LOOP_SLOTS.phase) === LOOP_PHASES.internal;
    if (!isInternal) this.#flushInCell();
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.flush(), GATHERING);
  }

  /** A loop prints lines faster than they can be posted one by one: they wait while the other thread is busy. */
  #flushInCell(): void {
    const unread = Atomics.load(this.#loops, LOOP_SLOTS.unread);
    if (unread === 0 || this.#weight >= MOST_WAITING) this.flush();
  }
}

function weightOf(message: ToSocketThread): number {
  if ("text" in message) return WEIGHT + message.text.length;
  return WEIGHT + ("content" in message ? (message.content?.length ?? 0) : 0);
}
