import { randomUUID } from "node:crypto";
import process from "node:process";
import { clearInterval, setImmediate, setInterval, setTimeout } from "node:timers";
import { parentPort, workerData } from "node:worker_threads";
import {
  createTerminator,
  currentRuntime,
  interruptCell,
  LOOP_SLOTS,
  listenForSignals,
} from "../platform/mod.ts";
import type { Job, MainThread, Posted, ToSocketThread } from "./channels.ts";
import { type ConnectionInfo, readConnectionFile, toEndpoint } from "./connection-file.ts";
import { InputRequest } from "./input-request.ts";
import { createKernelInfo } from "./kernel-info.ts";
import type { ErrorReply, Header, Publications, Replies } from "./protocol.ts";
import { createStreamBuffer } from "./stream-buffer.ts";
import {
  createSigner,
  type Message,
  MessageWriter,
  parseMessage,
  renderJson,
  type Signer,
} from "./wire.ts";
import {
  type BoundSocket,
  bindPublisher,
  bindReplier,
  bindRouter,
  type Publisher,
  type RoutedMessage,
  type Router,
  UnverifiedPeers,
} from "./zmtp/mod.ts";

/** Messages from the socket thread to the main thread. */
export type ToMainThread =
  /** The sockets listen, or one of them cannot be bound. */
  | { readonly kind: "bound"; readonly failure: string | undefined }
  | { readonly kind: "request"; readonly job: Job }
  | { readonly kind: "interrupt" }
  | { readonly kind: "shutdown" }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "closed" };

/**
 * Bytes that peers may send before their first correct signature, all together. The first message of a front
 * end fits, even with a long cell.
 */
const UNVERIFIED_BYTES = 16 * 1024 * 1024;
/** Milliseconds within which the main thread acknowledges an interrupt if no cell computes. */
const PATIENCE = 120;
/** What helps if a cell cannot be ended. */
const RESTART: Readonly<Record<string, string>> = {
  deno: "restart the kernel (started with --inspect=127.0.0.1:0 it can end what follows an await)",
};
/** Milliseconds that the main thread has to end by itself after a shutdown. */
const SHUTDOWN_GRACE = 600;

/** What interrupts the cells of the main thread, and answers their questions. */
interface CellsOfMainThread {
  readonly shared: Int32Array;
  readonly terminator: ReturnType<typeof createTerminator>;
  readonly input: InputRequest;
}

type Channel = "shell" | "control" | "stdin";
/** Handles a request in this thread, also while the main thread computes. */
type Handler = (request: Message) => Promise<object> | object;

/** A request whose reply is due. */
interface OpenRequest {
  readonly channel: "shell" | "control";
  readonly message: Message;
}

/**
 * The sockets, and what must not wait for a cell that computes: signatures, the control channel, output, and
 * the queue of the shell channel, from which the main thread gets one request after the other.
 */
class SocketThread {
  readonly #post: (message: ToMainThread) => void;
  readonly #signer: Signer;
  readonly #messages: MessageWriter;
  /** Undefined until the main thread listens: no cell runs before that. */
  #cells: CellsOfMainThread | undefined;
  readonly #streams = createStreamBuffer((name, text, parent) =>
    this.#send("stream", renderJson({ name, text }), parent),
  );
  readonly #handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ["kernel_info_request", () => createKernelInfo(currentRuntime().title)],
    ["interrupt_request", () => this.#interrupt()],
    ["shutdown_request", (request) => this.#replyToShutdown(request)],
  ]);
  /** The sockets that could be bound. */
  readonly #sockets: Promise<readonly BoundSocket[]>;
  readonly #routers = new Map<Channel, Router>();
  #publisher: Publisher | undefined;
  /** What the main thread handles, by the numbers of its jobs. */
  readonly #open = new Map<number, OpenRequest>();
  #jobs = 0;
  #queue: OpenRequest[] = [];
  /** The request of the shell channel that is being handled. */
  #running: OpenRequest | undefined;
  #isEnding = false;

  constructor(connection: ConnectionInfo, post: (message: ToMainThread) => void) {
    const { env } = process;
    const username = env["USER"] ?? env["USERNAME"] ?? "restlab";
    this.#post = post;
    this.#signer = createSigner(connection.key, connection.hash);
    this.#messages = new MessageWriter(randomUUID(), username, this.#signer);
    this.#sockets = this.#bind(connection);
    const parent = Number(env["JPY_PARENT_PID"]);
    if (Number.isInteger(parent) && parent > 1) watchParent(parent, () => this.#shutDown());
  }

  /** The main thread listens from now on. */
  attach({ inspector, loops, input }: MainThread): void {
    const runtime = currentRuntime().name;
    const shared = new Int32Array(loops);
    const terminator = createTerminator({ runtime, inspector, shared });
    this.#cells = { shared, terminator, input: new InputRequest(input) };
    listenForSignals(runtime, ["SIGINT"], shared, () => void this.#interrupt());
  }

  async #bind(connection: ConnectionInfo): Promise<readonly BoundSocket[]> {
    const log = (line: string): void => this.#post({ kind: "log", line });
    const common = { unverified: new UnverifiedPeers(UNVERIFIED_BYTES), log };
    const at = (channel: Channel | "iopub" | "heartbeat") => ({
      ...common,
      endpoint: toEndpoint(connection, connection[channel]),
    });
    const router = async (channel: Channel): Promise<Router> => {
      const receive = (message: RoutedMessage): void => this.#receive(channel, message);
      const bound = await bindRouter({ ...at(channel), receive });
      this.#routers.set(channel, bound);
      return bound;
    };
    const publisher = async (): Promise<Publisher> => {
      this.#publisher = await bindPublisher({
        ...at("iopub"),
        subscribed: (prefix) => {
          const content = { subscription: new TextDecoder().decode(prefix) };
          return this.#messages.write("iopub_welcome", renderJson(content), undefined, [prefix]);
        },
      });
      return this.#publisher;
    };
    const results = await Promise.allSettled([
      router("shell"),
      router("control"),
      router("stdin"),
      publisher(),
      bindReplier(at("heartbeat")),
    ]);
    const failed = results.find((result) => result.status === "rejected");
    if (failed === undefined) {
      this.#publish("status", { execution_state: "starting" }, undefined);
      if (connection.key === "") log(WITHOUT_KEY);
    }
    const failure = failed && String(failed.reason?.message ?? failed.reason);
    this.#post({ kind: "bound", failure });
    return results.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
  }

  /** Handles what the main thread has posted, and lets it post more. */
  receive({ messages, weight }: Posted): void {
    for (const message of messages) this.#handle(message);
    if (this.#cells === undefined) return;
    const { shared } = this.#cells;
    Atomics.sub(shared, LOOP_SLOTS.unread, weight);
    Atomics.notify(shared, LOOP_SLOTS.unread);
  }

  #handle(message: ToSocketThread): void {
    switch (message.kind) {
      case "publish":
        this.#streams.flush();
        this.#send(message.type, message.content, message.parent);
        return;
      case "stream":
        this.#streams.write(message.name, message.text, message.parent);
        return;
      case "reply":
        this.#finish(message.job, message.content, message.abortsQueue);
        return;
      case "ask":
        this.#ask(message.job, message.content);
        return;
      case "signal":
        void this.#interrupt();
        return;
      case "close":
        void this.#close(message.linger);
    }
  }

  #receive(channel: Channel, { identity, frames }: RoutedMessage): void {
    const parsed = parseMessage([identity, ...frames], this.#signer);
    if (!parsed.ok) {
      this.#post({ kind: "log", line: `Dropped a message on ${channel}: ${parsed.reason}` });
      return;
    }
    this.#routers.get(channel)?.verified(identity);
    const { message } = parsed;
    const type = message.header.msg_type;
    if (channel === "stdin") {
      const { value } = message.content;
      if (type === "input_reply") this.#cells?.input.answer(typeof value === "string" ? value : "");
      return;
    }
    const request = { channel, message };
    // Deprecated on the shell channel, where a cell that computes must not delay it either.
    if (channel === "control" || type === "shutdown_request") void this.#begin(request);
    else {
      this.#queue.push(request);
      this.#next(undefined);
    }
  }

  /** Begins the next request of the shell channel, if the one that has ended was the running one. */
  #next(ended: OpenRequest | undefined): void {
    if (this.#running !== ended) return;
    this.#running = this.#queue.shift();
    if (this.#running !== undefined) void this.#begin(this.#running);
  }

  /** Handles a request here, or has the main thread handle it. */
  async #begin(request: OpenRequest): Promise<void> {
    const { channel, message } = request;
    const { header, content } = message;
    const handler = this.#handlers.get(header.msg_type);
    if (handler === undefined) {
      const number = ++this.#jobs;
      this.#open.set(number, request);
      // The main thread begins while this one publishes; what it posts is handled afterwards.
      this.#post({ kind: "request", job: { number, channel, header, content } });
    }
    this.#publish("status", { execution_state: "busy" }, header);
    if (handler === undefined) return;
    this.#end(request, renderJson(await handler(message)));
    this.#next(request);
  }

  #finish(job: number, content: string | undefined, abortsQueue: boolean): void {
    const request = this.#open.get(job);
    if (request === undefined) return;
    this.#open.delete(job);
    if (!abortsQueue) {
      this.#end(request, content);
      this.#next(request);
      return;
    }
    // What has reached this machine by now was sent before any front end knew of the failure.
    setImmediate(() =>
      setImmediate(() => {
        const isCell = ({ message }: OpenRequest): boolean =>
          message.header.msg_type === "execute_request";
        const aborted = this.#queue.filter(isCell);
        this.#queue = this.#queue.filter((waiting) => !isCell(waiting));
        this.#end(request, content);
        for (const cell of aborted) {
          this.#publish("status", { execution_state: "busy" }, cell.message.header);
          // Without a count, as in ipykernel: front ends would show it beside the cell.
          this.#end(cell, ABORTED);
        }
        this.#next(request);
      }),
    );
  }

  /** Sends the reply to a request, if it has one, and the idle behind all its output. */
  #end(request: OpenRequest, content: string | undefined): void {
    const { channel, message } = request;
    const { header, identities } = message;
    this.#streams.end(header);
    if (content !== undefined) {
      const type = header.msg_type.replace(/_request$/, "_reply");
      this.#sendTo(channel, this.#messages.write(type, content, header, identities));
    }
    this.#publish("status", { execution_state: "idle" }, header);
  }

  #ask(job: number, content: string): void {
    const request = this.#open.get(job)?.message;
    if (request === undefined) return;
    const { header, identities } = request;
    this.#streams.flush();
    this.#sendTo("stdin", this.#messages.write("input_request", content, header, identities));
  }

  #publish<Type extends keyof Publications>(
    type: Type,
    content: Publications[Type],
    parent: Header | undefined,
  ): void {
    this.#streams.flush();
    this.#send(type, renderJson(content), parent);
  }

  #send(type: string, content: string, parent: Header | undefined): void {
    this.#publisher?.send(this.#messages.write(type, content, parent));
  }

  #sendTo(channel: Channel, [identity, ...frames]: readonly Uint8Array[]): void {
    if (identity !== undefined) this.#routers.get(channel)?.send(identity, frames);
  }

  async #interrupt(): Promise<Replies["interrupt_reply"]> {
    if (this.#cells === undefined) return { status: "ok" };
    const { shared, terminator, input } = this.#cells;
    // A question throws in the cell: nothing else must be interrupted in its place.
    if (input.interrupt()) return { status: "ok" };
    const notify = (): void => this.#post({ kind: "interrupt" });
    if (await interruptCell({ shared, terminator, notify, patience: PATIENCE })) {
      return { status: "ok" };
    }
    const advice = RESTART[currentRuntime().name] ?? "restart the kernel";
    const evalue = `${terminator.limitation}: ${advice}`;
    if (this.#running !== undefined) {
      const { header } = this.#running.message;
      this.#streams.write("stderr", `Interrupting failed: ${evalue}\n`, header);
    }
    return { status: "error", ename: "InterruptError", evalue, traceback: [] } as ErrorReply;
  }

  #replyToShutdown({ content }: Message): Replies["shutdown_reply"] {
    const reply = { status: "ok" as const, restart: content["restart"] === true };
    this.#publish("shutdown_reply", reply, undefined);
    this.#shutDown();
    return reply;
  }

  #shutDown(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#cells?.input.interrupt();
    this.#post({ kind: "shutdown" });
    // The files of `ipc` must not be left behind, however busy the machine is.
    void this.#sockets.then((sockets) => {
      for (const socket of sockets) socket.stopListening();
    });
    // A main thread that computes does not end the process; a signal does.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), SHUTDOWN_GRACE);
  }

  async #close(linger: number): Promise<void> {
    this.#streams.flush();
    await Promise.all((await this.#sockets).map((socket) => socket.close(linger)));
    this.#post({ kind: "closed" });
  }
}

const WITHOUT_KEY =
  "The connection file has no key: anyone who can reach the ports of this kernel can run code as this user";
const ABORTED = renderJson({ status: "aborted" });

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

/** The messages that wait until the main thread listens: it does not get those before. */
let waiting: ToMainThread[] | undefined = [];

function post(message: ToMainThread): void {
  if (waiting === undefined) parentPort?.postMessage(message);
  else waiting.push(message);
}

const starting = readConnectionFile(workerData).then(
  (connection) => new SocketThread(connection, post),
);
starting.catch(({ message }: Error) => post({ kind: "bound", failure: message }));
// Posted by Channels alone, what both threads share first.
parentPort?.on("message", async (message: MainThread | Posted) => {
  for (const early of waiting ?? []) parentPort?.postMessage(early);
  waiting = undefined;
  // A thread without a connection has nothing to close.
  const thread = await starting.catch(() => post({ kind: "closed" }));
  if ("loops" in message) thread?.attach(message);
  else thread?.receive(message);
});
