import process from "node:process";
import { clearInterval, setImmediate, setInterval, setTimeout } from "node:timers";
import { createTerminator, interruptCell, listenForSignals } from "../platform/mod.ts";
import { InputRequest } from "./input-request.ts";
import type { Message } from "./message.ts";
import { MessageSender } from "./message-sender.ts";
import type { Header, Replies } from "./protocol.ts";
import {
  SOCKETS,
  type SocketThreadOptions,
  type ToMainThread,
  type ToSocketThread,
} from "./socket-messages.ts";
import {
  type Actions,
  type CreateHooks,
  dispatch,
  type HookContext,
  type SocketMessage,
  type TransportHooks,
} from "./zmtp/mod.ts";

/** Milliseconds within which the main thread acknowledges an interrupt if no cell computes. */
const PATIENCE = 120;
/** What helps if a cell cannot be ended. */
const RESTART: Readonly<Record<string, string>> = {
  deno: "restart the kernel (started with --inspect=127.0.0.1:0 it can end what follows an await)",
};
/** Milliseconds that the main thread has to end by itself after a shutdown. */
const SHUTDOWN_GRACE = 600;

/** Creates the hooks of the socket thread, which `Channels` starts. */
export const createSocketHooks: CreateHooks = (context) => new SocketHooks(context);

/**
 * Checks signatures, joins output, and handles the control channel beside the sockets, so that a kernel
 * whose cell computes still replies and can be interrupted and shut down.
 */
class SocketHooks implements TransportHooks {
  readonly #context: HookContext;
  readonly #options: SocketThreadOptions;
  readonly #sender: MessageSender;
  readonly #input: InputRequest;
  readonly #shared: Int32Array;
  readonly #actions: Actions<ToSocketThread>;
  readonly #handlers = new Map<string, (request: Message) => Promise<object> | object>([
    ["kernel_info_request", () => this.#options.info],
    ["interrupt_request", () => this.#interrupt()],
    ["shutdown_request", (request) => this.#replyToShutdown(request)],
  ]);
  #running: Header | undefined;
  #received = 0;
  #isEnding = false;

  constructor(context: HookContext) {
    // Given by Channels alone.
    const options = context.data as SocketThreadOptions;
    const { runtime, parentProcess } = options;
    this.#context = context;
    this.#options = options;
    this.#sender = new MessageSender(context, options);
    this.#input = new InputRequest(options.input);
    this.#shared = new Int32Array(options.loops);
    this.#actions = {
      publish: ({ message }) => this.#sender.publishRendered(message),
      reply: ({ channel, message }) => this.#sender.send(SOCKETS[channel], message),
      ask: ({ message }) => this.#sender.send(SOCKETS.stdin, message),
      stream: ({ name, text, parent }) => this.#sender.stream(name, text, parent),
      signal: () => void this.#interrupt(),
      running: ({ parent }) => {
        this.#running = parent;
      },
      abort: ({ message }) => {
        // What has reached this machine by now was sent before any front end knew of the failure.
        setImmediate(() =>
          setImmediate(() => {
            this.#notify({ kind: "abort", upTo: this.#received });
            this.#sender.send(SOCKETS.shell, message);
          }),
        );
      },
    };
    listenForSignals(runtime, ["SIGINT"], this.#shared, () => void this.#interrupt());
    if (parentProcess !== undefined) watchParent(parentProcess, () => this.#shutDown());
  }

  received({ socket, identity, frames }: SocketMessage): boolean {
    const parsed = this.#sender.parse([identity, ...frames]);
    if (!parsed.ok) {
      this.#context.log(`Dropped a message on ${socket}: ${parsed.reason}`);
      return true;
    }
    this.#context.trust(socket, identity);
    const { message } = parsed;
    if (socket === SOCKETS.control) return this.#handleControl(socket, message);
    if (socket === SOCKETS.stdin) {
      const { value } = message.content;
      const isReply = message.header.msg_type === "input_reply";
      if (isReply) this.#input.answer(typeof value === "string" ? value : "");
      return true;
    }
    // Deprecated on the shell channel, where a cell that computes must not delay it either.
    if (message.header.msg_type === "shutdown_request") return this.#handleControl(socket, message);
    this.#received += 1;
    return false;
  }

  subscribed(_socket: string, prefix: Uint8Array): readonly Uint8Array[] {
    return this.#sender.welcome(prefix);
  }

  posted(value: unknown): void {
    // Posted by Channels alone.
    for (const message of value as readonly ToSocketThread[]) dispatch(this.#actions, message);
  }

  #notify(message: ToMainThread): void {
    this.#context.post(message);
  }

  /** @returns False for a request that the main thread has to handle. */
  #handleControl(socket: string, request: Message): boolean {
    const handler = this.#handlers.get(request.header.msg_type);
    if (handler === undefined) return false;
    void this.#handle(socket, request, handler);
    return true;
  }

  async #handle(
    socket: string,
    request: Message,
    handler: (request: Message) => Promise<object> | object,
  ): Promise<void> {
    this.#sender.publish("status", { execution_state: "busy" }, request);
    try {
      this.#sender.reply(socket, request, await handler(request));
    } finally {
      this.#sender.publish("status", { execution_state: "idle" }, request);
    }
  }

  async #interrupt(): Promise<Replies["interrupt_reply"]> {
    // A question throws in the cell: nothing else must be interrupted in its place.
    if (this.#input.interrupt()) return { status: "ok" };
    const shared = this.#shared;
    const terminator = createTerminator({ ...this.#options, shared });
    const notify = (): void => this.#notify({ kind: "interrupt" });
    if (await interruptCell({ shared, terminator, notify, patience: PATIENCE })) {
      return { status: "ok" };
    }
    const advice = RESTART[this.#options.runtime] ?? "restart the kernel";
    const evalue = `${terminator.limitation}: ${advice}`;
    if (this.#running !== undefined) {
      this.#sender.stream("stderr", `Interrupting failed: ${evalue}\n`, this.#running);
    }
    return { status: "error", ename: "InterruptError", evalue, traceback: [] };
  }

  #replyToShutdown({ content }: Message): Replies["shutdown_reply"] {
    const reply = { status: "ok" as const, restart: content["restart"] === true };
    this.#sender.publish("shutdown_reply", reply, undefined);
    this.#shutDown();
    return reply;
  }

  #shutDown(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#input.interrupt();
    this.#notify({ kind: "shutdown" });
    // A main thread that computes does not end the process; a signal does.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), SHUTDOWN_GRACE);
  }
}

/** How often the parent is checked, in milliseconds. */
const INTERVAL = 500;

/**
 * Watches the process that started this kernel, so that the kernel ends when its front end is killed.
 *
 * @param parent Its process identifier. One that does not exist, as in another container, is not
 * watched.
 * @param onGone Called once when it has ended.
 */
function watchParent(parent: number, onGone: () => void): void {
  if (!isAlive(parent)) return;
  // A start script may run between the parent and this process, which must not outlive it either.
  const nearest = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === nearest && isAlive(parent)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
