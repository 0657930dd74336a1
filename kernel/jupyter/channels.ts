import { setImmediate } from "node:timers";
import type { Worker } from "node:worker_threads";
import { type CellThread, createCellThread, LOOP_PHASES, LOOP_PLACES } from "../platform/mod.ts";
import {
  type SocketPlan,
  type StrangerLimits,
  startTransport,
  type Transport,
} from "../transport/mod.ts";
import { type ConnectionInfo, toEndpoint } from "./connection-file.ts";
import type { Message, MessageFactory } from "./message.ts";
import type { KernelInfo, Publications } from "./protocol.ts";
import { createQuestions, type Questions } from "./questions.ts";
import {
  type Actions,
  createSharedMemory,
  dispatch,
  PLACES,
  type SeamStart,
  SOCKETS,
  type ToCells,
  type ToSockets,
} from "./seam.ts";
import { createSigner, parseMessage, renderMessage } from "./wire.ts";

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
  /** Answers a request of the shell channel. */
  reply(request: Message, content: object): void;
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

/** A front end's first message fits, however long its cell is; then its signature is known. */
const STRANGERS: StrangerLimits = {
  messageSize: 4 * 1024 * 1024,
  totalSize: 16 * 1024 * 1024,
  peers: 256,
};
/** A heartbeat is a word, and whoever sends more of them than it reads has to wait. */
const HEARTBEAT = { maximumMessageSize: 4096, highWaterMark: { messages: 100, bytes: 65_536 } };

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
    {
      sockets: planSockets(connection),
      strangers: STRANGERS,
      data: seamStart(options, memory),
    },
    {
      received: ({ identity, frames }) => {
        const parsed = parseMessage([identity, ...frames], TRUSTING);
        arrivals += 1;
        if (parsed.ok) events.request(parsed.message, arrivals);
      },
      posted: (value) => dispatch(actions, value as ToCells),
      log: events.log,
      failed: events.failed,
    },
    options.thread,
  );

  const send = (kind: "publish" | "reply" | "abort" | "ask", message: Message<unknown>): void => {
    const rendered = renderMessage(message);
    const cost = rendered.dicts.reduce((sum, dict) => sum + dict.length, MESSAGE_COST);
    post({ kind, message: rendered, cost });
  };

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
    reply: (request, content) => send("reply", messages.reply(request, content)),
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

function planSockets(connection: ConnectionInfo): Record<string, SocketPlan> {
  const at = (port: number): string => toEndpoint(connection, port);
  return {
    [SOCKETS.shell]: { type: "router", endpoint: at(connection.shell) },
    [SOCKETS.control]: { type: "router", endpoint: at(connection.control) },
    [SOCKETS.stdin]: { type: "router", endpoint: at(connection.stdin) },
    [SOCKETS.iopub]: { type: "publisher", endpoint: at(connection.iopub) },
    [SOCKETS.heartbeat]: { type: "replier", endpoint: at(connection.heartbeat), ...HEARTBEAT },
  };
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
