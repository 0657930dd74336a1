import { createCountingLog } from "../sockets/mod.ts";
import { PlannedSockets } from "./planned-sockets.ts";
import type { CreateHooks, Transport, TransportEvents, TransportPlan } from "./transport.ts";

/** A transport in this thread, whose routers can be paused. */
interface LocalTransport extends Transport {
  setReading(socket: string, reading: boolean): void;
}

/** Binds the sockets of a plan in this thread. */
export function openTransport(
  plan: TransportPlan,
  events: TransportEvents,
  createHooks: CreateHooks = () => ({}),
): LocalTransport {
  const log = createCountingLog((line) => events.log?.(line));

  /** An error in a hook must not end the thread that answers heartbeats. */
  function guard<Result>(hook: () => Result): Result | undefined {
    try {
      return hook();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log(`Hook failed: ${text}`);
      return undefined;
    }
  }

  const sockets: PlannedSockets = new PlannedSockets(plan, {
    log,
    received: (message) => {
      if (guard(() => hooks.received?.(message)) !== true) events.received(message);
    },
    subscribed: (socket, prefix) => guard(() => hooks.subscribed?.(socket, prefix)),
  });
  const sender = {
    send: (socket: string, identity: Uint8Array, frames: readonly Uint8Array[]): void =>
      void sockets.router(socket)?.send(identity, frames),
    publish: (socket: string, frames: readonly Uint8Array[]): void =>
      sockets.publisher(socket)?.send(frames),
  };
  const hooks = createHooks({
    ...sender,
    data: plan.data,
    trust: (socket, identity) => sockets.router(socket)?.trust(identity),
    log,
    post: (value) => events.posted?.(value),
  });
  return {
    ...sender,
    bound: sockets.bound,
    setReading: (socket, reading) => {
      const router = sockets.router(socket);
      if (reading) router?.resume();
      else router?.pause();
    },
    post: (value) => void guard(() => hooks.posted?.(value)),
    close: (linger) => sockets.close(linger),
  };
}
