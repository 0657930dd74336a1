import { setImmediate } from "node:timers";
import type { Worker } from "node:worker_threads";
import {
  type CellThread,
  createCellThread,
  createLoopMemory,
  LOOP_PHASES,
  LOOP_SLOTS,
} from "../platform/mod.ts";
import { type ConnectionInfo, toEndpoint } from "./connection-file.ts";
import { createInputMemory, InputRequest } from "./input-request.ts";
import type { Message, MessageFactory } from "./message.ts";
import type { Publications } from "./protocol.ts";
import {
  SOCKETS,
  type SocketThreadOptions,
  type ToMainThread,
  type ToSocketThread,
} from "./socket-messages.ts";
import { createSigner, parseMessage, type RenderedMessage, renderMessage } from "./wire.ts";
import {
  type Actions,
  dispatch,
  type SocketMessage,
  startTransport,
  type Transport,
  type TransportPlan,
  type UntrustedPeerLimits,
} from "./zmtp/mod.ts";

/** The channels whose requests the main thread handles. */
export type RequestChannel = "shell" | "control";

/** What arrives on the channels. */
interface ChannelEvents {
  /** A request of the shell channel; `position` counts them from 1. */
  request(message: Message, position: number): void;
  /** A request of the control channel that the socket thread does not handle. */
  controlRequest(message: Message): void;
  /** Aborts the shell requests up to a position. */
  abort(upTo: number): void;
  interrupt(): void;
  shutdown(): void;
  failed(error: Error): void;
  log(line: string): void;
}

interface ChannelOptions
  extends Pick<
    SocketThreadOptions,
    "runtime" | "inspector" | "username" | "info" | "parentProcess"
  > {
  /** Runs the program of the socket thread. */
  readonly thread: Worker;
  readonly connection: ConnectionInfo;
  readonly messages: MessageFactory;
}

/** What a message costs beyond its text, in bytes. */
const MESSAGE_COST = 1000;
/** The socket thread has checked the signatures. */
const UNSIGNED = createSigner("");

/** The five channels of the kernel, whose sockets run in a thread of their own. */
export class Channels {
  /** Resolves when the sockets listen; rejects with an EndpointError if they cannot. */
  readonly bound: Promise<unknown>;
  readonly #messages: MessageFactory;
  readonly #events: ChannelEvents;
  readonly #transport: Transport;
  readonly #loops: Int32Array;
  readonly #cells: CellThread;
  readonly #input: InputRequest;
  #received = 0;
  #waiting: ToSocketThread[] = [];
  #waitingCost = 0;
  #isScheduled = false;

  constructor(options: ChannelOptions, events: ChannelEvents) {
    const { thread, connection, messages, ...rest } = options;
    const { key, hash } = connection;
    const memory = { loops: createLoopMemory(), input: createInputMemory() };
    const data: SocketThreadOptions = { ...memory, ...rest, key, hash, session: messages.session };
    const actions: Actions<ToMainThread> = {
      interrupt: () => events.interrupt(),
      shutdown: () => events.shutdown(),
      abort: ({ upTo }) => events.abort(upTo),
    };
    this.#messages = messages;
    this.#events = events;
    this.#loops = new Int32Array(memory.loops);
    this.#cells = createCellThread(options.runtime, this.#loops);
    this.#input = new InputRequest(memory.input);
    this.#transport = startTransport(
      { ...planSockets(connection), data },
      {
        received: (message) => this.#receive(message),
        posted: (value) => dispatch(actions, value as ToMainThread),
        log: (line) => events.log(line),
        failed: (error) => events.failed(error),
      },
      thread,
    );
    this.bound = this.#transport.bound;
  }

  /** Publishes a message to all front ends, on behalf of the request that caused it. */
  publish<Type extends keyof Publications>(
    type: Type,
    content: Publications[Type],
    parent: Message | undefined,
  ): void {
    this.#post({ kind: "publish", message: this.#message(type, content, parent) });
  }

  /** Publishes text that a cell wrote; text in quick succession is sent as one message. */
  stream(name: "stdout" | "stderr", text: string, { header }: Message): void {
    this.#post({ kind: "stream", name, text, parent: header });
  }

  /** Replies to a request on the channel that it came from. */
  reply(request: Message, content: object, channel: RequestChannel): void {
    this.#post({ kind: "reply", channel, message: this.#reply(request, content) });
  }

  /** Replies to a request, and has `abort` called for those received before the reply is sent. */
  replyAndAbort(request: Message, content: object): void {
    this.#post({ kind: "abort", message: this.#reply(request, content) });
  }

  /**
   * Asks the user for a line of text and blocks this thread until it arrives, as `prompt()` does
   * everywhere; heartbeat and interrupts are handled meanwhile.
   *
   * @throws InterruptedError if the cell is interrupted instead.
   */
  ask(request: Message, prompt: string, password: boolean): string {
    return this.#input.ask(prompt, () => {
      const content = { prompt, password };
      const message = this.#message("input_request", content, request, request.identities);
      this.#post({ kind: "ask", message });
      this.flush();
    });
  }

  setRunning(request: Message | undefined): void {
    this.#post({ kind: "running", parent: request?.header });
  }

  /**
   * Sets what runs now. While restlab's own code runs, messages are posted together after the current
   * turn of the event loop: waking the other thread costs more than a message.
   */
  setPhase(phase: keyof typeof LOOP_PHASES): void {
    this.flush();
    this.#cells.setPhase(phase);
  }

  /** Runs restlab's own code between cells, and posts in one piece what it sends. */
  batch(action: () => void): void {
    this.setPhase("internal");
    try {
      action();
    } finally {
      this.setPhase("callbacks");
    }
  }

  /** Posts the messages that wait, before this thread blocks or computes. */
  flush(): void {
    this.#isScheduled = false;
    const messages = this.#waiting;
    const cost = this.#waitingCost;
    this.#waiting = [];
    this.#waitingCost = 0;
    if (messages.length > 0) this.#transport.post(messages, cost);
  }

  /** Runs the script of a cell, which an interrupt may terminate. */
  runScript<T>(script: () => T): T {
    this.flush();
    return this.#cells.runScript(script);
  }

  /** Whether the code of cells should end. */
  mustEnd(): boolean {
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

  /** @param linger Milliseconds that front ends have to read what is queued. */
  close(linger: number): Promise<void> {
    this.flush();
    return this.#transport.close(linger);
  }

  #receive({ socket, identity, frames }: SocketMessage): void {
    const parsed = parseMessage([identity, ...frames], UNSIGNED);
    if (socket === SOCKETS.shell) this.#received += 1;
    if (!parsed.ok) return;
    if (socket === SOCKETS.shell) this.#events.request(parsed.message, this.#received);
    else this.#events.controlRequest(parsed.message);
  }

  #message(...parameters: Parameters<MessageFactory["message"]>): RenderedMessage {
    return renderMessage(this.#messages.message(...parameters));
  }

  #reply(request: Message, content: object): RenderedMessage {
    return renderMessage(this.#messages.reply(request, content));
  }

  #post(message: ToSocketThread): void {
    this.#waiting.push(message);
    this.#waitingCost += costOf(message);
    const isInternal = Atomics.load(this.#loops, LOOP_SLOTS.phase) === LOOP_PHASES.internal;
    if (!isInternal) this.flush();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.flush());
    }
  }
}

/** Text has two bytes for each character, at most. */
function costOf(message: ToSocketThread): number {
  const texts =
    "message" in message ? message.message.dicts : "text" in message ? [message.text] : [];
  return texts.reduce((sum, text) => sum + 2 * text.length, MESSAGE_COST);
}

/**
 * What peers may cost before their first correct signature. The first message of a front end fits,
 * even with a long cell; subscribers and heartbeats, which sign nothing, need much less.
 */
const UNTRUSTED: UntrustedPeerLimits = {
  messageSize: 4 * 1024 * 1024,
  totalSize: 16 * 1024 * 1024,
  peers: 256,
};
/** A heartbeat is one word. */
const HEARTBEAT = { maximumMessageSize: 4096, highWaterMark: { messages: 100, bytes: 65_536 } };

/** Plans the sockets of a kernel as a connection file asks for them. */
function planSockets(connection: ConnectionInfo): Omit<TransportPlan, "data"> {
  const at = (port: number): string => toEndpoint(connection, port);
  return {
    sockets: {
      [SOCKETS.shell]: { type: "router", endpoint: at(connection.shell) },
      [SOCKETS.control]: { type: "router", endpoint: at(connection.control) },
      [SOCKETS.stdin]: { type: "router", endpoint: at(connection.stdin) },
      [SOCKETS.iopub]: { type: "publisher", endpoint: at(connection.iopub) },
      [SOCKETS.heartbeat]: { type: "replier", endpoint: at(connection.heartbeat), ...HEARTBEAT },
    },
    untrusted: UNTRUSTED,
  };
}
