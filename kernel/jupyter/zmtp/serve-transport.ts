import { type MessagePort, parentPort } from "node:worker_threads";
import { EndpointError } from "./endpoint.ts";
import { openTransport } from "./open-transport.ts";
import {
  type Actions,
  Credit,
  costOf,
  dispatch,
  packFrames,
  type ToOwner,
  type ToWorker,
  unpackFrames,
  type WorkerStart,
} from "./thread-messages.ts";
import type { CreateHooks, SocketMessage } from "./transport.ts";

/**
 * The program of a worker that runs the sockets; `startTransport` is its counterpart. A front end
 * with hooks has a worker file that calls this with them.
 *
 * @throws Error outside of a worker.
 */
export function serveTransport(createHooks?: CreateHooks): void {
  if (parentPort === null) throw new Error("Serving the transport failed: this is not a worker");
  const owner = parentPort;
  let serve: ((message: ToWorker) => void) | undefined;
  // Posted by startTransport alone, the start first.
  owner.on("message", (message: WorkerStart | ToWorker) => {
    if (message.kind === "start") serve = serveSockets(owner, message, createHooks);
    else serve?.(message);
  });
}

/** @returns What handles the owner's messages. */
function serveSockets(
  owner: MessagePort,
  { plan, credit: memory }: WorkerStart,
  createHooks: CreateHooks | undefined,
): (message: ToWorker) => void {
  const credit = new Credit(plan, memory);
  const post = (message: ToOwner, transfer: readonly ArrayBuffer[] = []): void =>
    owner.postMessage(message, [...transfer]);

  function received({ socket, identity, frames }: SocketMessage): void {
    const packed = packFrames([identity, ...frames], true);
    const cost = costOf(packed);
    const isFull = credit.received(socket, cost);
    post({ kind: "received", socket, packed, cost }, packed);
    // The owner computes and handles no messages: TCP slows the peers down.
    if (isFull) transport.setReading(socket, false);
  }

  const transport = openTransport(
    plan,
    {
      received,
      posted: (value) => post({ kind: "posted", value }),
      log: (line) => post({ kind: "log", line }),
    },
    createHooks,
  );
  transport.bound.then(
    (endpoints) => post({ kind: "bound", endpoints }),
    (error) => post({ kind: "unbound", ...describe(error) }),
  );
  const actions: Actions<ToWorker> = {
    send: ({ socket, packed, cost }) => {
      const [identity = new Uint8Array(), ...frames] = unpackFrames(packed);
      transport.send(socket, identity, frames);
      credit.release(cost);
    },
    publish: ({ socket, packed, cost }) => {
      transport.publish(socket, unpackFrames(packed));
      credit.release(cost);
    },
    post: ({ value, cost }) => {
      transport.post(value);
      credit.release(cost);
    },
    resume: ({ socket }) => transport.setReading(socket, true),
    close: ({ linger }) => void transport.close(linger).then(() => post({ kind: "closed" })),
  };
  return (message) => dispatch(actions, message);
}

function describe(error: unknown): { endpoint: string; reason: string; code: string } {
  if (error instanceof EndpointError) {
    return { endpoint: error.endpoint, reason: error.reason, code: error.code };
  }
  return { endpoint: "", reason: String(error), code: "" };
}
