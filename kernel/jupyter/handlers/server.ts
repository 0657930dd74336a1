import { setImmediate, setTimeout } from "node:timers";
import { createCountingLog } from "../../transport/mod.ts";
import type { Job, Kernel } from "../kernel/mod.ts";
import type { Message } from "../messages/mod.ts";
import { toErrorReply } from "../messages/mod.ts";
import type { RequestChannel } from "../sockets/mod.ts";
import { CONTROL_HANDLERS, HANDLERS } from "./handlers.ts";

/** Serves the shell channel: one request after the other, in the order they came in. */
export interface Server {
  /** @param arrival Which request of the channel it is, from 1. */
  receive(request: Message, arrival: number): void;
  /** Answers a request of the control channel before all that waits, and beside a cell that runs. */
  receiveControl(request: Message): void;
  /** Gives up the cells that wait among the requests up to this one. */
  abortUpTo(arrival: number): void;
  /** Looks after a cell whose handler an interrupt may have cut off. */
  interrupted(): void;
  /** Answers the running request as lost and takes no more. */
  close(): void;
}

interface Waiting {
  readonly request: Message;
  readonly channel: RequestChannel;
  readonly arrival: number;
}

/** A handler that was interrupted and has not come back by then never will, in milliseconds. */
const LOST_AFTER = 400;

/**
 * Creates the server of a kernel.
 *
 * An interrupt by force drops the stack and the microtasks of whatever runs, `finally` included.
 * Nothing here may depend on a promise to go on: each request starts from the event loop, and
 * `settle` is the one place where it ends.
 */
export function createServer(kernel: Kernel, log: (line: string) => void): Server {
  const { channels } = kernel;
  let queue: Waiting[] = [];
  let current: Job | undefined;
  const beside = new Set<Job>();
  const logUnknown = createCountingLog(log);
  // After a failure nothing starts until it is known what came before it.
  let isHeld = false;
  let isClosed = false;

  function receive(request: Message, arrival: number): void {
    queue.push({ request, channel: "shell", arrival });
    schedule();
  }

  function receiveControl(request: Message): void {
    if (isClosed) return;
    if (current === undefined) {
      queue.unshift({ request, channel: "control", arrival: 0 });
      schedule();
      return;
    }
    const job = createJob(request, "control");
    job.onLost = () => failure(job, new Error("The kernel was interrupted"));
    beside.add(job);
    begin(job);
  }

  function schedule(): void {
    setImmediate(next);
  }

  function next(): void {
    if (current !== undefined || isHeld || isClosed) return;
    const waiting = queue.shift();
    if (waiting === undefined) return;
    const job = createJob(waiting.request, waiting.channel);
    current = job;
    channels.setPhase("own");
    channels.setRunning(job.request);
    begin(job);
  }

  function begin(job: Job): void {
    channels.publish("status", { execution_state: "busy" }, job.request);
    handle(job).then(
      (content) => settle(job, content),
      (error) => settle(job, failure(job, error)),
    );
  }

  async function handle(job: Job): Promise<object | undefined> {
    const type = job.request.header.msg_type;
    const handler = (job.channel === "shell" ? HANDLERS : CONTROL_HANDLERS).get(type);
    if (handler !== undefined) return await handler(job, kernel);
    const name = type.slice(0, 60).replace(/[^!-~]/g, "?");
    logUnknown(`Ignored a message on ${job.channel}: "${name}" is not known`);
    return undefined;
  }

  /** The specification wants the count in every reply to a cell. */
  function failure({ request }: Job, error: unknown): object {
    const isCell = request.header.msg_type === "execute_request";
    const count = isCell ? { execution_count: kernel.executionCount(false) } : {};
    return { ...toErrorReply(error), ...count };
  }

  /** Output has been handed on by now, so that idle comes after all of it. */
  function settle(job: Job, content: object | undefined): void {
    if (beside.delete(job)) {
      finish(job, content);
      return;
    }
    if (current !== job) return;
    current = undefined;
    channels.together(() => {
      channels.setRunning(undefined);
      for (const publish of job.last) publish();
      // Nothing is left to be given up where the kernel ends.
      if (job.abortsQueue && !isClosed) {
        isHeld = true;
        channels.replyAndAbort(job.request, content ?? {});
        finish(job, undefined);
      } else finish(job, content);
    });
    schedule();
  }

  function finish({ request, channel }: Job, content: object | undefined): void {
    if (content !== undefined) channels.reply(request, content, channel);
    channels.publish("status", { execution_state: "idle" }, request);
  }

  function abortUpTo(arrival: number): void {
    const isGivenUp = (waiting: Waiting): boolean =>
      waiting.channel === "shell" &&
      waiting.arrival <= arrival &&
      waiting.request.header.msg_type === "execute_request";
    const givenUp = queue.filter(isGivenUp);
    queue = queue.filter((waiting) => !isGivenUp(waiting));
    channels.together(() => {
      for (const { request } of givenUp) {
        channels.publish("status", { execution_state: "busy" }, request);
        // Without a count, as ipykernel has it: front ends would show it beside the cell.
        channels.reply(request, { status: "aborted" }, "shell");
        channels.publish("status", { execution_state: "idle" }, request);
      }
    });
    isHeld = false;
    schedule();
  }

  function interrupted(): void {
    const jobs = running();
    setTimeout(() => jobs.forEach(lose), LOST_AFTER);
  }

  function running(): readonly Job[] {
    return current === undefined ? [...beside] : [current, ...beside];
  }

  /** What has come back meanwhile is settled, and is so once. */
  function lose(job: Job): void {
    if (job.onLost !== undefined && running().includes(job)) settle(job, job.onLost());
  }

  return {
    receive,
    receiveControl,
    abortUpTo,
    interrupted,
    close: () => {
      isClosed = true;
      running().forEach(lose);
    },
  };
}

function createJob(request: Message, channel: RequestChannel): Job {
  return { request, channel, last: [], abortsQueue: false, onLost: undefined };
}
