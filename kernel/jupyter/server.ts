import { setImmediate, setTimeout } from "node:timers";
import type { RequestChannel } from "./channels.ts";
import { CONTROL_HANDLERS, HANDLERS } from "./handlers.ts";
import type { Job, Kernel } from "./kernel.ts";
import { type Message, toErrorReply } from "./message.ts";
import { createCountingLog } from "./zmtp/mod.ts";

/** A request of the shell channel that waits. */
interface Waiting {
  readonly request: Message;
  /** Where it was among the requests of the shell channel, from 1. */
  readonly position: number;
}

/** Milliseconds after an interrupt; a handler that has not returned by then never will. */
const LOST_AFTER = 400;

/**
 * Handles the requests of the shell channel one after the other, in their order, and those of the
 * control channel beside them.
 *
 * A termination drops the stack and the microtasks of whatever runs, `finally` included. So nothing
 * here depends on a promise to continue: each request starts from the event loop, and `#settle` is
 * the one place where it ends.
 */
export class Server {
  readonly #kernel: Kernel;
  readonly #logUnknown: (line: string) => void;
  readonly #beside = new Set<Job>();
  #queue: Waiting[] = [];
  #current: Job | undefined;
  /** After a failure nothing starts until it is known which requests were sent before it. */
  #isHeld = false;
  #isClosed = false;

  constructor(kernel: Kernel, log: (line: string) => void) {
    this.#kernel = kernel;
    this.#logUnknown = createCountingLog(log);
  }

  /** @param position Where the request was among those of the shell channel, from 1. */
  receive(request: Message, position: number): void {
    this.#queue.push({ request, position });
    this.#schedule();
  }

  /** Handles a request of the control channel at once, also while a cell runs. */
  receiveControl(request: Message): void {
    if (this.#isClosed) return;
    const job = createJob(request, "control");
    job.onLost = () => this.#failure(job, new Error("The kernel was interrupted"));
    this.#beside.add(job);
    this.#begin(job);
  }

  /** Aborts the cells that wait among the shell requests up to a position. */
  abort(upTo: number): void {
    const isAborted = ({ request, position }: Waiting): boolean =>
      position <= upTo && request.header.msg_type === "execute_request";
    const aborted = this.#queue.filter(isAborted);
    this.#queue = this.#queue.filter((waiting) => !isAborted(waiting));
    const { channels } = this.#kernel;
    channels.batch(() => {
      for (const { request } of aborted) {
        channels.publish("status", { execution_state: "busy" }, request);
        // Without a count, as in ipykernel: front ends would show it beside the cell.
        channels.reply(request, { status: "aborted" }, "shell");
        channels.publish("status", { execution_state: "idle" }, request);
      }
    });
    this.#isHeld = false;
    this.#schedule();
  }

  /** Settles the running requests later if the interrupt has terminated their handlers. */
  interrupt(): void {
    const jobs = this.#running;
    setTimeout(() => {
      for (const job of jobs) this.#lose(job);
    }, LOST_AFTER);
  }

  /** Settles the running requests as lost and takes no more. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#running) this.#lose(job);
  }

  get #running(): readonly Job[] {
    return this.#current === undefined ? [...this.#beside] : [this.#current, ...this.#beside];
  }

  #schedule(): void {
    setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.#current !== undefined || this.#isHeld || this.#isClosed) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) return;
    const job = createJob(waiting.request, "shell");
    this.#current = job;
    this.#kernel.channels.setPhase("internal");
    this.#kernel.channels.setRunning(job.request);
    this.#begin(job);
  }

  #begin(job: Job): void {
    this.#kernel.channels.publish("status", { execution_state: "busy" }, job.request);
    this.#handle(job).then(
      (content) => this.#settle(job, content),
      (error) => this.#settle(job, this.#failure(job, error)),
    );
  }

  async #handle(job: Job): Promise<object | undefined> {
    const type = job.request.header.msg_type;
    const handler = (job.channel === "shell" ? HANDLERS : CONTROL_HANDLERS).get(type);
    if (handler !== undefined) return await handler(job, this.#kernel);
    const name = type.slice(0, 60).replace(/[^!-~]/g, "?");
    this.#logUnknown(`Ignored a message on ${job.channel}: its type "${name}" is not supported`);
    return undefined;
  }

  /** The specification requires the count in every reply to a cell. */
  #failure({ request }: Job, error: unknown): object {
    const isCell = request.header.msg_type === "execute_request";
    const count = isCell ? { execution_count: this.#kernel.executionCount(false) } : {};
    return { ...toErrorReply(error), ...count };
  }

  /** All output was posted by now, so that idle comes after it. */
  #settle(job: Job, content: object | undefined): void {
    if (this.#beside.delete(job)) {
      this.#finish(job, content);
      return;
    }
    if (this.#current !== job) return;
    this.#current = undefined;
    const { channels } = this.#kernel;
    channels.batch(() => {
      channels.setRunning(undefined);
      for (const publish of job.beforeReply) publish();
      // A kernel that ends has nothing to abort.
      this.#isHeld = job.abortsQueue && !this.#isClosed;
      if (this.#isHeld) channels.replyAndAbort(job.request, content ?? {});
      this.#finish(job, this.#isHeld ? undefined : content);
    });
    this.#schedule();
  }

  #finish({ request, channel }: Job, content: object | undefined): void {
    if (content !== undefined) this.#kernel.channels.reply(request, content, channel);
    this.#kernel.channels.publish("status", { execution_state: "idle" }, request);
  }

  #lose(job: Job): void {
    const isRunning = this.#running.includes(job);
    if (job.onLost !== undefined && isRunning) this.#settle(job, job.onLost());
  }
}

function createJob(request: Message, channel: RequestChannel): Job {
  return { request, channel, beforeReply: [], abortsQueue: false, onLost: undefined };
}
