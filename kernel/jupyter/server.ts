import { setImmediate, setTimeout } from "node:timers";
import type { Job } from "./channels.ts";
import { toErrorReply } from "./content.ts";
import { CONTROL_HANDLERS, HANDLERS } from "./handlers.ts";
import type { Kernel, Run } from "./kernel.ts";

/** Milliseconds after an interrupt; a handler that has not returned by then never will. */
const LOST_AFTER = 400;

/**
 * Handles the requests that the channels pass on: one of the shell channel at a time, and those of the
 * control channel beside it.
 *
 * A termination drops the stack and the microtasks of whatever runs, `finally` included. So nothing
 * here depends on a promise to continue: each request starts from the event loop, and `#settle` is
 * the one place where it ends.
 */
export class Server {
  readonly #kernel: Kernel;
  readonly #log: (line: string) => void;
  readonly #running = new Set<Run>();
  readonly #unknown = new Set<string>();
  #isClosed = false;

  constructor(kernel: Kernel, log: (line: string) => void) {
    this.#kernel = kernel;
    this.#log = log;
  }

  receive(job: Job): void {
    setImmediate(() => this.#begin(job));
  }

  /** Settles the running requests later if the interrupt has terminated their handlers. */
  interrupt(): void {
    const runs = [...this.#running];
    setTimeout(() => {
      for (const run of runs) this.#lose(run);
    }, LOST_AFTER);
  }

  /** Settles the running requests as lost and takes no more. */
  close(): void {
    this.#isClosed = true;
    for (const run of this.#running) this.#lose(run);
  }

  #begin(job: Job): void {
    if (this.#isClosed) return;
    const run: Run = { job, beforeReply: [], abortsQueue: false, onLost: undefined };
    this.#running.add(run);
    if (job.channel === "shell") this.#kernel.channels.begin();
    else run.onLost = () => this.#failure(job, new Error("The kernel was interrupted"));
    this.#handle(run).then(
      (content) => this.#settle(run, content),
      (error) => this.#settle(run, this.#failure(job, error)),
    );
  }

  async #handle(run: Run): Promise<object | undefined> {
    const { channel, header } = run.job;
    const handlers = channel === "shell" ? HANDLERS : CONTROL_HANDLERS;
    const handler = handlers.get(header.msg_type);
    if (handler !== undefined) return await handler(run, this.#kernel);
    const name = header.msg_type.slice(0, 60).replace(/[^!-~]/g, "?");
    const line = `Ignored a message on ${channel}: its type "${name}" is not supported`;
    if (!this.#unknown.has(line)) this.#log(line);
    this.#unknown.add(line);
    return undefined;
  }

  /** The specification requires the count in every reply to a cell. */
  #failure({ header }: Job, error: unknown): object {
    const isCell = header.msg_type === "execute_request";
    const count = isCell ? { execution_count: this.#kernel.executionCount(false) } : {};
    return { ...toErrorReply(error), ...count };
  }

  #settle(run: Run, content: object | undefined): void {
    if (!this.#running.delete(run)) return;
    const { channels } = this.#kernel;
    const { job } = run;
    if (job.channel === "control") {
      channels.reply(job, content);
      return;
    }
    channels.batch(() => {
      for (const publish of run.beforeReply) publish();
      // A kernel that ends has nothing to abort.
      channels.reply(job, content, run.abortsQueue && !this.#isClosed);
    });
  }

  #lose(run: Run): void {
    if (run.onLost !== undefined && this.#running.has(run)) this.#settle(run, run.onLost());
  }
}
