import process from "node:process";
import { PLACES, type SeamStart } from "./seam.ts";

/** Ends JavaScript that computes without a break, from another thread. */
export interface Force {
  /** Ends the script of a cell, so that whatever waits for it goes on. */
  readonly script?: () => Promise<unknown>;
  /** Ends what a script left behind, a loop after an `await` for example. */
  readonly callbacks?: () => Promise<void>;
  /** What to say where that did not help or cannot be done. */
  readonly excuse: string;
}

/** What this runtime can do. */
export function createForce(
  { runtime, inspector }: Pick<SeamStart, "runtime" | "inspector">,
  shared: Int32Array,
): Force {
  return FORCES[runtime]?.(shared, inspector) ?? { excuse: "" };
}

/** A loop of a cell has so many times five milliseconds to see that it is to end. */
const LOOP_STEPS = 20;

type MakeForce = (shared: Int32Array, inspector: string | undefined) => Force;

const FORCES: Readonly<Record<string, MakeForce>> = {
  node: () => ({
    script: terminateByInspector,
    callbacks: terminateByInspector,
    excuse: "The cell could not be ended; restart the kernel",
  }),
  deno: (shared, inspector) => ({
    script: () => endLoops(shared),
    callbacks: async () => {
      if ((await endLoops(shared)) || inspector === undefined) return;
      await terminateByWebSocket(inspector);
    },
    excuse:
      "The cell computes without a loop that could be ended, and Deno offers no way to end that " +
      "from outside: restart the kernel (started with --inspect=127.0.0.1:0 it can end what " +
      "follows an await)",
  }),
  bun: (shared) => ({
    script: async () => {
      if (!(await endLoops(shared))) await signal(shared);
    },
    callbacks: async () => void (await endLoops(shared)),
    excuse:
      "The cell computes after an await without a loop that could be ended, and Bun offers no way " +
      "to end that from outside: restart the kernel",
  }),
};

/** The loops of cells look now and then whether they are to end; true where one has. */
async function endLoops(shared: Int32Array): Promise<boolean> {
  Atomics.store(shared, PLACES.endLoops, 1);
  for (let step = 0; step < LOOP_STEPS; step++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (Atomics.load(shared, PLACES.endLoops) === 0) return true;
  }
  return false;
}

/** A script that runs with `breakOnSigint` ends with an exception, as if it had thrown it. */
async function signal(shared: Int32Array): Promise<void> {
  Atomics.store(shared, PLACES.ownSignals, 1);
  process.kill(process.pid, "SIGINT");
}

async function terminateByInspector(): Promise<void> {
  const { Session } = await import("node:inspector");
  const { TERMINATION, terminateMainThread } = await import("../platform/mod.ts");
  await terminateMainThread(new Session(), TERMINATION);
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
