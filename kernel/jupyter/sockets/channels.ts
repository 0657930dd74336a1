import { setImmediate } from "node:timers";
import type { Worker } from "node:worker_threads";
import {
  type CellThread,
  createCellThread,
  PHASES as LOOP_PHASES,
  PLACES as LOOP_PLACES,
} from "../../platform/mod.ts";
import { startTransport, type Transport } from "../../transport/mod.ts";
import type {
  ConnectionInfo,
  KernelInfo,
  Message,
  MessageFactory,
  Publications,
} from "../messages/mod.ts";
import {
  createSigner,
  parseMessage,
  type RenderedMessage,
  renderMessage,
} from "../messages/mod.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { planSockets } from "./socket-plan.ts";
import {
  type Actions,
  createSharedMemory,
  dispatch,
  PLACES,
  type SeamStart,
  SOCKETS,
  type ToCells,
  type ToSockets,
} from "./worker-messages.ts";

/** Where requests come from that the thread of the cells answers. */
export type RequestChannel = "shell" | "control";

/** The five channels as the thread of the cells sees them. */
export interface Channels extends Questions {
  /** Resolves when the sockets listen; rejects with an EndpointError where they cannot. */
  readonly bound: Promise<unknown>;
  /** Sends something to everyone, on behalf of the request that caused it. */
  publish<Type extends keyof Publications>(
    type: Type,
    content: Publications[Type],
    parent: Message | undefined,
  ): void;
  /** Sends text that a cell wrote; what comes in quick succession arrives as one message. */
  stream(name: "stdout" | "stderr", text: string, parent: Message): void;
  /** Answers a request on the channel that it came from. */
  reply(request: Message, content: object, channel: RequestChannel): void;
  /** Answers a request and is told, by `onBoundary`, which requests came before the answer left. */
  replyAndAbort(request: Message, content: object): void;
  /**
   * Says where the user's code is. In work of our own, what is sent waits for the end of the turn of
   * the event loop, since waking the other thread costs more than sending.
   */
  setPhase(phase: keyof typeof LOOP_PHASES): void;
  /** Hands on what waits, for whoever is about to hold the turn up. */
  flush(): void;
  /** Does work of our own between cells, and hands on in one go what it sends. */
  together(action: () => void): void;
  /** Says which request is being handled. */
  setRunning(request: Message | undefined): void;
  /** Runs the script of a cell within reach of an interrupt. */
  runScript<T>(script: () => T): T;
  /** What ends cells by force is told by it, and asked. */
  readonly cells: Pick<CellThread, "taken" | "mustEnd">;
  /** The process was sent a SIGINT. */
  signal(): void;
  /** @param linger Milliseconds that front ends have to take what is queued. */
  close(linger: number): Promise<void>;
}

/** What arrives on the channels. */
export interface ChannelEvents {
  /** A request of the shell channel; `arrival` counts them from 1. */
  request(message: Message, arrival: number): void;
  /** A request of the control channel that the thread of the sockets does not answer itself. */
  controlRequest(message: Message): void;
  boundary(arrivals: number): void;
  interrupt(): void;
  shutdown(restart: boolean): void;
  failed(error: Error): void;
  log(line: string): void;
}

/** What the channels are opened with. */
export interface ChannelOptions {
  /** Runs the program of the sockets. */
  readonly thread: Worker;
  readonly connection: ConnectionInfo;
  readonly runtime: string;
  readonly inspector: string | undefined;
  readonly messages: MessageFactory;
  readonly username: string;
  readonly info: KernelInfo;
  readonly parentProcess: number | undefined;
}

/** So much may be on its way to the sockets before a cell that prints has to wait. */
const CREDIT = 32 * 1024 * 1024;
/** What a message costs beside its text. */
const MESSAGE_COST = 500;
/** Sockets that take nothing for so long, in milliseconds, are not waited for. */
const STALL = 5000;
/** What is checked already needs no second signature. */
const TRUSTING = createSigner("");

/** Opens the channels: sockets, heartbeat and control in a thread of their own. */
export function openChannels(options: ChannelOptions, events: ChannelEvents): Channels {
  const { connection, messages } = options;
  const memory = createSharedMemory();
  const shared = new Int32Array(memory.shared);
  let arrivals = 0;
  let held: ToSockets[] = [];
  let isFlushing = false;
  const actions: Actions<ToCells> = {
    interrupt: () => events.interrupt(),
    shutdown: ({ restart }) => events.shutdown(restart),
    boundary: (message) => events.boundary(message.arrivals),
  };
  const transport = startTransport(
    { ...planSockets(connection), data: seamStart(options, memory) },
    {
      received: ({ socket, identity, frames }) => {
        const parsed = parseMessage([identity, ...frames], TRUSTING);
        if (socket === SOCKETS.shell) arrivals += 1;
        if (!parsed.ok) return;
        if (socket === SOCKETS.shell) events.request(parsed.message, arrivals);
        else events.controlRequest(parsed.message);
      },
      posted: (value) => dispatch(actions, value as ToCells),
      log: events.log,
      failed: events.failed,
    },
    options.thread,
  );

  const send = (kind: "publish" | "abort" | "ask", message: Message<unknown>): void =>
    post({ kind, ...render(message) });

  function post(message: ToSockets): void {
    held.push(message);
    if (isUserCode()) flush();
    else if (!isFlushing) {
      isFlushing = true;
      setImmediate(flush);
    }
  }

  const loops = new Int32Array(memory.loops);
  const cells = createCellThread(options.runtime, loops);

  function flush(): void {
    isFlushing = false;
    const messages = held;
    held = [];
    if (messages.length > 0) deliver(transport, shared, messages);
  }

  function isUserCode(): boolean {
    return Atomics.load(loops, LOOP_PLACES.phase) !== LOOP_PHASES.own;
  }

  const setPhase: Channels["setPhase"] = (phase) => {
    flush();
    cells.setPhase(phase);
  };

  return {
    ...createQuestions(memory, messages, (message) => {
      send("ask", message);
      flush();
    }),
    bound: transport.bound,
    publish: (type, content, parent) => send("publish", messages.message(type, content, parent)),
    stream: (name, text, { header }) => {
      const cost = text.length + MESSAGE_COST;
      post({ kind: "stream", name, text, parent: header, cost });
    },
    reply: (request, content, channel) =>
      post({ kind: "reply", channel, ...render(messages.reply(request, content)) }),
    flush,
    together: (action) => {
      setPhase("own");
      try {
        action();
      } finally {
        setPhase("callbacks");
      }
    },
    replyAndAbort: (request, content) => send("abort", messages.reply(request, content)),
    setRunning: (request) => post({ kind: "running", parent: request?.header }),
    setPhase,
    runScript: (script) => {
      flush();
      return cells.runScript(script);
    },
    cells,
    signal: () => {
      if (Atomics.load(loops, LOOP_PLACES.listening) === 0) post({ kind: "signal" });
    },
    close: (linger) => {
      flush();
      return transport.close(linger);
    },
  };
}

function render(message: Message<unknown>): { message: RenderedMessage; cost: number } {
  const rendered = renderMessage(message);
  const cost = rendered.dicts.reduce((sum, dict) => sum + dict.length, MESSAGE_COST);
  return { message: rendered, cost };
}

function seamStart(
  { thread: _thread, connection, messages, ...rest }: ChannelOptions,
  memory: Pick<SeamStart, "shared" | "loops" | "answer">,
): SeamStart {
  const { key, hash } = connection;
  return { ...memory, ...rest, key, hash, session: messages.session };
}

/** A cell that prints faster than the sockets send is held back, so that it fills no memory. */
function deliver(transport: Transport, shared: Int32Array, messages: readonly ToSockets[]): void {
  const cost = messages.reduce((sum, it) => sum + ("cost" in it ? it.cost : 0), 0);
  transport.post(messages);
  let waiting = Atomics.add(shared, PLACES.pending, cost) + cost;
  while (waiting > CREDIT) {
    if (Atomics.wait(shared, PLACES.pending, waiting, STALL) === "timed-out") return;
    waiting = Atomics.load(shared, PLACES.pending);
  }
}
