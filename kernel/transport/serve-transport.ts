import { parentPort, workerData } from "node:worker_threads";
import { EndpointError } from "./errors.ts";
import { packFrames, unpackFrames } from "./packed-frames.ts";
import {
  CREDIT_BYTES,
  costOf,
  counterOf,
  TO_WORKER,
  type ToOwner,
  type ToWorker,
  type WorkerStart,
} from "./seam.ts";
import { type CreateHooks, openTransport, type SocketMessage } from "./transport.ts";

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
  // Given by startTransport alone.
  const { plan, credit } = workerData as WorkerStart;
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
  owner.on("message", onMessage);
  transport.bound.then(
    (endpoints) => tell({ kind: "bound", endpoints }),
    (error) => tell({ kind: "unbound", ...describe(error) }),
  );

  function received({ socket, identity, frames }: SocketMessage): void {
    const packed = packFrames([identity, ...frames], true);
    const cost = costOf(packed);
    const waiting = Atomics.add(counters, counterOf(plan, socket), cost) + cost;
    tell({ kind: "received", socket, packed, cost }, packed.buffers);
    // A cell computes and nobody takes the messages: the network holds the rest back.
    if (waiting > CREDIT_BYTES) transport.setReading(socket, false);
  }

  function onMessage(message: ToWorker): void {
    switch (message.kind) {
      case "send": {
        const [identity = new Uint8Array(), ...frames] = unpackFrames(message.packed);
        transport.send(message.socket, identity, frames);
        return release(message.cost);
      }
      case "publish":
        transport.publish(message.socket, unpackFrames(message.packed));
        return release(message.cost);
      case "post":
        return transport.post(message.value);
      case "resume":
        return transport.setReading(message.socket, true);
      case "close":
        void transport.close(message.linger).then(() => tell({ kind: "closed" }));
    }
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
