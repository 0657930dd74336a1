import process from "node:process";
import { PLACES, type SeamStart } from "./seam.ts";
import { BEFORE_TERMINATION } from "./termination.ts";

/** Ends JavaScript that computes without a break, from another thread. */
export interface Force {
  /** Ways to try, the gentlest first. */
  readonly ways: readonly (() => Promise<void>)[];
  /** What to say where none of them helped. */
  readonly excuse: string;
}

/** What this runtime can do. */
export function createForce(
  { runtime, inspector }: Pick<SeamStart, "runtime" | "inspector">,
  shared: Int32Array,
): Force {
  return FORCES[runtime]?.(shared, inspector) ?? { ways: [], excuse: "" };
}

type MakeForce = (shared: Int32Array, inspector: string | undefined) => Force;

const FORCES: Readonly<Record<string, MakeForce>> = {
  node: (shared) => ({
    ways: [() => signal(shared), terminateByInspector],
    excuse: "The cell could not be ended; restart the kernel",
  }),
  deno: (_shared, inspector) => ({
    ways: inspector === undefined ? [] : [() => terminateByWebSocket(inspector)],
    excuse:
      "The cell computes without a break, and Deno offers no way to end that from outside: " +
      "restart the kernel, or have it started with --inspect=127.0.0.1:0 to allow it",
  }),
  bun: (shared) => ({
    ways: [() => signal(shared)],
    excuse:
      "The cell computes without a break after an await, and Bun offers no way to end that from " +
      "outside: restart the kernel",
  }),
};

/**
 * A script that runs with `breakOnSigint` ends with an exception, as if it had thrown it; whatever
 * waits for it goes on.
 */
async function signal(shared: Int32Array): Promise<void> {
  Atomics.store(shared, PLACES.ownSignals, 1);
  process.kill(process.pid, "SIGINT");
}

/** Ends what a script left behind, a loop after an `await` for example; its state is kept. */
async function terminateByInspector(): Promise<void> {
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  await new Promise<void>((resolve) => {
    // Both at once, so that nothing runs in between.
    session.post("Runtime.evaluate", { expression: BEFORE_TERMINATION });
    session.post("Runtime.terminateExecution", () => resolve());
  });
  session.disconnect();
}

/**
 * Deno's inspector can do the same, but listens on a port that any local process may use. It is used
 * where the user has opened it.
 */
async function terminateByWebSocket(address: string): Promise<void> {
  const socket = new WebSocket(address);
  await new Promise<void>((resolve) => {
    socket.onerror = () => resolve();
    socket.onclose = () => resolve();
    socket.onmessage = () => resolve();
    socket.onopen = () => {
      socket.send(JSON.stringify({ id: 1, method: "Runtime.terminateExecution" }));
    };
  });
  socket.close();
}
