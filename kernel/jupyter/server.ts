import { setImmediate, setTimeout } from "node:timers";
import { toErrorReply } from "./error-content.ts";
import { HANDLERS } from "./handlers.ts";
import type { Job, Kernel } from "./kernel.ts";
import type { Message } from "./message.ts";

/** Serves the shell channel: one request after the other, in the order they came in. */
export interface Server {
  /** @param arrival Which request of the channel it is, from 1. */
  receive(request: Message, arrival: number): void;
  /** Gives up the cells that wait among the requests up to this one. */
  abortUpTo(arrival: number): void;
  /** Looks after a cell whose handler an interrupt may have cut off. */
  interrupted(): void;
  /** Answers the running request as lost and takes no more. */
  close(): void;
}

interface Waiting {
  readonly request: Message;
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
  // After a failure nothing starts until it is known what came before it.
  let isHeld = false;
  let isClosed = false;

  function receive(request: Message, arrival: number): void {
    queue.push({ request, arrival });
    schedule();
  }

  function schedule(): void {
    setImmediate(next);
  }

  function next(): void {
    if (current !== undefined || isHeld || isClosed) return;
    const waiting = queue.shift();
    if (waiting === undefined) return;
    const { request } = waiting;
    const handler = HANDLERS.get(request.header.msg_type);
    if (handler === undefined) {
      log(`Ignored a message on shell: "${request.header.msg_type}" is not known`);
      schedule();
      return;
    }
    const job: Job = { request, last: [], abortsQueue: false, onLost: undefined };
    current = job;
    channels.setPhase("own");
    channels.setRunning(request);
    channels.publish("status", { execution_state: "busy" }, request);
    answer(job, async () => await handler(job, kernel));
  }

  function answer(job: Job, handle: () => Promise<object | undefined>): void {
    handle().then(
      (content) => settle(job, content),
      (error) => settle(job, failure(job, error)),
    );
  }

  /** The specification wants the count in every reply to a cell. */
  function failure({ request }: Job, error: unknown): object {
    const isCell = request.header.msg_type === "execute_request";
    const count = isCell ? { execution_count: kernel.executionCount(false) } : {};
    return { ...toErrorReply(error), ...count };
  }

  /** Output has been handed on by now, so that idle comes after all of it. */
  function settle(job: Job, content: object | undefined): void {
    if (current !== job) return;
    current = undefined;
    channels.together(() => {
      channels.setRunning(undefined);
      for (const publish of job.last) publish();
      // Nothing is left to be given up where the kernel ends.
      if (job.abortsQueue && !isClosed) {
        isHeld = true;
        channels.replyAndAbort(job.request, content ?? {});
      } else if (content !== undefined) channels.reply(job.request, content);
      channels.publish("status", { execution_state: "idle" }, job.request);
    });
    schedule();
  }

  function abortUpTo(arrival: number): void {
    const isGivenUp = (waiting: Waiting): boolean =>
      waiting.arrival <= arrival && waiting.request.header.msg_type === "execute_request";
    const givenUp = queue.filter(isGivenUp);
    queue = queue.filter((waiting) => !isGivenUp(waiting));
    channels.together(() => {
      for (const { request } of givenUp) {
        channels.publish("status", { execution_state: "busy" }, request);
        // Without a count, as ipykernel has it: front ends would show it beside the cell.
        channels.reply(request, { status: "aborted" });
        channels.publish("status", { execution_state: "idle" }, request);
      }
    });
    isHeld = false;
    schedule();
  }

  function interrupted(): void {
    const job = current;
    if (job === undefined) return;
    setTimeout(() => {
      if (current === job && job.onLost !== undefined) settle(job, job.onLost());
    }, LOST_AFTER);
  }

  return {
    receive,
    abortUpTo,
    interrupted,
    close: () => {
      isClosed = true;
      const job = current;
      if (job?.onLost !== undefined) settle(job, job.onLost());
    },
  };
}
