import process from "node:process";
import { setImmediate, setTimeout } from "node:timers";
import { createForce, createInterrupter, hearSignals } from "../../platform/mod.ts";
import type {
  CreateHooks,
  HookContext,
  SocketMessage,
  TransportHooks,
} from "../../transport/mod.ts";
import type { Header, Publications, Replies } from "../messages/mod.ts";
import {
  createMessageFactory,
  createSigner,
  type Message,
  parseMessage,
  type RenderedMessage,
  renderMessage,
  toFrames,
} from "../messages/mod.ts";
import { watchParent } from "./parent-process.ts";
import { createStreamBuffer } from "./stream-buffer.ts";
import {
  type Actions,
  ANSWERS,
  dispatch,
  LONGEST_ANSWER,
  PLACES,
  type SeamStart,
  SOCKETS,
  type ToCells,
  type ToSockets,
} from "./worker-messages.ts";

/** The cells' thread answers an interrupt within this time when no cell computes, in milliseconds. */
const PATIENCE = 120;
/** What helps where a cell cannot be ended. */
const RESTART: Readonly<Record<string, string>> = {
  deno: "restart the kernel (started with --inspect=127.0.0.1:0 it can end what follows an await)",
};
/** A cell's thread has this long to end by itself after a shutdown, in milliseconds. */
const SHUTDOWN_GRACE = 600;

/**
 * What the thread of the sockets does beside moving bytes: it refuses what is not signed, joins
 * output, and answers the control channel, so that a kernel whose cell computes can be asked,
 * interrupted and ended.
 */
export const createSocketHooks: CreateHooks = (context: HookContext): TransportHooks => {
  // Given by openChannels alone.
  const start = context.data as SeamStart;
  const shared = new Int32Array(start.shared);
  const answer = new Uint8Array(start.answer);
  const signer = createSigner(start.key, start.hash);
  // Two makers of messages with one session must not give the same identifier twice.
  const messages = createMessageFactory(start.session, start.username, "s");
  const tell = (message: ToCells): void => context.post(message);
  const loops = new Int32Array(start.loops);
  const force = createForce({ ...start, shared: loops });
  const interrupter = createInterrupter({
    shared: loops,
    force,
    tell: () => tell({ kind: "interrupt" }),
    patience: PATIENCE,
  });
  const streams = createStreamBuffer((name, text, parent) => {
    publishMessage("stream", { name, text }, { header: parent });
  });
  let running: Header | undefined;
  let arrivals = 0;
  let isEnding = false;

  hearSignals(start.runtime, ["SIGINT"], loops, onSignal);
  if (start.parentProcess !== undefined) watchParent(start.parentProcess, () => end(false));

  const control = new Map<string, (request: Message) => Promise<object> | object>([
    ["kernel_info_request", () => start.info],
    ["interrupt_request", () => interrupt()],
    ["shutdown_request", ({ content }) => shutdown(content["restart"] === true)],
  ]);
  const receivers: Readonly<Record<string, (message: Message) => boolean>> = {
    [SOCKETS.shell]: (message) => {
      // Deprecated on the shell, and a computing cell must not hold it up there either.
      if (message.header.msg_type === "shutdown_request") return answerHere(SOCKETS.shell, message);
      arrivals += 1;
      return false;
    },
    [SOCKETS.control]: (message) => answerHere(SOCKETS.control, message),
    [SOCKETS.stdin]: ({ header, content }) => {
      if (header.msg_type === "input_reply") takeAnswer(content["value"]);
      return true;
    },
  };
  const actions: Actions<ToSockets> = {
    publish: ({ message }) => publish(message),
    reply: ({ channel, message }) => send(SOCKETS[channel], message),
    ask: ({ message }) => send(SOCKETS.stdin, message),
    stream: ({ name, text, parent }) => streams.write(name, text, parent),
    signal: onSignal,
    running: (message) => {
      running = message.parent;
    },
    abort: ({ message }) => {
      // What has reached this machine by now was sent before anyone could know of the failure.
      setImmediate(() =>
        setImmediate(() => {
          tell({ kind: "boundary", arrivals });
          send(SOCKETS.shell, message);
        }),
      );
    },
  };

  return {
    received,
    subscribed: (_socket, prefix) => {
      const content = { subscription: new TextDecoder().decode(prefix) };
      const welcome = messages.message("iopub_welcome", content, undefined, [prefix]);
      return toFrames(renderMessage(welcome), signer);
    },
    posted: (value) => {
      // Posted by openChannels alone.
      for (const message of value as readonly ToSockets[]) {
        dispatch(actions, message);
        if (!("cost" in message)) continue;
        Atomics.sub(shared, PLACES.pending, message.cost);
        Atomics.notify(shared, PLACES.pending);
      }
    },
  };

  function received({ socket, identity, frames }: SocketMessage): boolean {
    const parsed = parseMessage([identity, ...frames], signer);
    if (parsed.ok) {
      context.trust(socket, identity);
      return receivers[socket]?.(parsed.message) ?? true;
    }
    context.log(`Dropped a message on ${socket}: ${parsed.reason}`);
    return true;
  }

  /** False for what the thread of the cells has to answer. */
  function answerHere(socket: string, request: Message): boolean {
    const handler = control.get(request.header.msg_type);
    if (handler === undefined) return false;
    void answerRequest(socket, request, handler);
    return true;
  }

  async function answerRequest(
    socket: string,
    request: Message,
    handler: (request: Message) => Promise<object> | object,
  ): Promise<void> {
    publishMessage("status", { execution_state: "busy" }, request);
    try {
      send(socket, renderMessage(messages.reply(request, await handler(request))));
    } finally {
      publishMessage("status", { execution_state: "idle" }, request);
    }
  }

  function publishMessage<Type extends keyof Publications>(
    type: Type,
    content: Publications[Type],
    parent: Pick<Message, "header"> | undefined,
  ): void {
    const frames = toFrames(renderMessage(messages.message(type, content, parent)), signer);
    context.publish(SOCKETS.iopub, frames);
  }

  /** Text that was written before goes out before. */
  function publish(message: RenderedMessage): void {
    streams.flush();
    context.publish(SOCKETS.iopub, toFrames(message, signer));
  }

  function send(socket: string, message: RenderedMessage): void {
    streams.flush();
    const [identity = new Uint8Array(), ...frames] = toFrames(message, signer);
    context.send(socket, identity, frames);
  }

  function onSignal(): void {
    void interrupt();
  }

  async function interrupt(): Promise<Replies["interrupt_reply"]> {
    // The question throws in the cell: nothing else may be interrupted in its place.
    if (settleQuestion(ANSWERS.interrupted)) return { status: "ok" };
    if (await interrupter.interrupt()) return { status: "ok" };
    const evalue = `${force.excuse}: ${RESTART[start.runtime] ?? "restart the kernel"}`;
    if (running !== undefined) streams.write("stderr", `Interrupting failed: ${evalue}\n`, running);
    return { status: "error", ename: "InterruptError", evalue, traceback: [] };
  }

  /** An answer that nobody waits for is dropped. */
  function takeAnswer(value: unknown): void {
    if (Atomics.load(shared, PLACES.answer) !== ANSWERS.waiting) return;
    const text = typeof value === "string" ? value : "";
    const bytes = new TextEncoder().encode(text);
    const fits = bytes.length <= LONGEST_ANSWER;
    if (fits) answer.set(bytes);
    Atomics.store(shared, PLACES.answerLength, bytes.length);
    settleQuestion(fits ? ANSWERS.given : ANSWERS.tooLong);
  }

  /** Whether there was a question. */
  function settleQuestion(state: number): boolean {
    const before = Atomics.compareExchange(shared, PLACES.answer, ANSWERS.waiting, state);
    Atomics.notify(shared, PLACES.answer);
    return before === ANSWERS.waiting;
  }

  function shutdown(restart: boolean): Replies["shutdown_reply"] {
    const reply = { status: "ok" as const, restart };
    publishMessage("shutdown_reply", reply, undefined);
    end(restart);
    return reply;
  }

  function end(restart: boolean): void {
    if (isEnding) return;
    isEnding = true;
    settleQuestion(ANSWERS.interrupted);
    tell({ kind: "shutdown", restart });
    // A cell that computes cannot end the process; a signal to ourselves can.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), SHUTDOWN_GRACE);
  }
};
