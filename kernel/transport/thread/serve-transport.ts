import { type MessagePort, parentPort } from "node:worker_threads";
import { EndpointError } from "../zmtp/mod.ts";
import { openTransport } from "./open-transport.ts";
import { packFrames, unpackFrames } from "./packed-frames.ts";
import type { CreateHooks, SocketMessage } from "./transport.ts";
import {
  type Actions,
  CREDIT_BYTES,
  costOf,
  counterOf,
  dispatch,
  TO_WORKER,
  type ToOwner,
  type ToWorker,
  type WorkerStart,
} from "./worker-messages.ts";

/**
 * The whole program of a worker that holds the sockets; `startTransport` is its other side. A front
 * end that answers messages beside the sockets has a worker file of its own that calls this with
 * its hooks.
 *
 * @throws Error outside of a worker.
 */
export function serveTransport(createHooks?: CreateHooks): void {
  if (parentPort === null) throw new Error("Serving the transport failed: this is no worker");
  const owner = parentPort;
  let serve: ((message: ToWorker) => void) | undefined;
  // Posted by startTransport alone, the start first.
  owner.on("message", (message: WorkerStart | ToWorker) => {
    if (message.kind === "start") serve = serveSockets(owner, message, createHooks);
    else serve?.(message);
  });
}

/** Binds the sockets; gives what takes the owner's messages. */
function serveSockets(
  owner: MessagePort,
  { plan, credit }: WorkerStart,
  createHooks: CreateHooks | undefined,
): (message: ToWorker) => void {
  const counters = new Int32Array(credit);
  const tell = (message: ToOwner, transfer: readonly ArrayBuffer[] = []): void =>
    owner.postMessage(message, [...transfer]);

  const transport = openTransport(
    plan,
    {
      received,
      posted: (value) => tell({ kind: "posted", value }),
      log: (line) => tell({ kind: "log", line }),
    },
    createHooks,
  );
  const actions: Actions<ToWorker> = {
    send: ({ socket, packed, cost }) => {
      const [identity = new Uint8Array(), ...frames] = unpackFrames(packed);
      transport.send(socket, identity, frames);
      release(cost);
    },
    publish: ({ socket, packed, cost }) => {
      transport.publish(socket, unpackFrames(packed));
      release(cost);
    },
    post: ({ value }) => transport.post(value),
    resume: ({ socket }) => transport.setReading(socket, true),
    close: ({ linger }) => void transport.close(linger).then(() => tell({ kind: "closed" })),
  };
  transport.bound.then(
    (endpoints) => tell({ kind: "bound", endpoints }),
    (error) => tell({ kind: "unbound", ...describe(error) }),
  );
  return (message) => dispatch(actions, message);

  function received({ socket, identity, frames }: SocketMessage): void {
    const packed = packFrames([identity, ...frames], true);
    const cost = costOf(packed);
    const waiting = Atomics.add(counters, counterOf(plan, socket), cost) + cost;
    tell({ kind: "received", socket, packed, cost }, packed.buffers);
    // A cell computes and nobody takes the messages: the network holds the rest back.
    if (waiting > CREDIT_BYTES) transport.setReading(socket, false);
  }

  function release(cost: number): void {
    Atomics.sub(counters, TO_WORKER, cost);
    Atomics.notify(counters, TO_WORKER);
  }
}

function describe(error: unknown): { endpoint: string; reason: string; code: string } {
  if (error instanceof EndpointError) {
    return { endpoint: error.endpoint, reason: error.reason, code: error.code };
  }
  return { endpoint: "", reason: String(error), code: "" };
}
