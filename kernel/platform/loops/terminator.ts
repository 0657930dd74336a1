import { setTimeout } from "node:timers/promises";
import { LOOP_PHASES, LOOP_SLOTS } from "./shared-memory-layout.ts";
import { terminateMainThread } from "./terminate-main-thread.ts";

/** Terminates JavaScript that computes, from another thread. */
export interface Terminator {
  /**
   * @param isOver Whether nothing is left to terminate.
   * @returns False if restlab's own code was running, which must not be terminated.
   */
  terminate(isOver: () => boolean): Promise<boolean>;
  /** What to report if that did not help. */
  readonly limitation: string;
}

interface TerminatorOptions {
  readonly runtime: string;
  readonly shared: Int32Array;
  /** The inspector of the main thread, if the user has opened it. */
  readonly inspector?: string | undefined;
}

/**
 * Creates a terminator. The cell's own code is asked to end first, which is without risk; then
 * whatever else the runtime can terminate is terminated.
 */
export function createTerminator({ runtime, shared, inspector }: TerminatorOptions): Terminator {
  const terminate = RUNTIMES[runtime]?.(shared, inspector) ?? (async () => true);
  return {
    terminate: async (isOver) => (await endCellCode(shared, isOver)) || terminate(isOver),
    limitation:
      "The cell is busy in code other than its own (a package, a sort, a regular expression), which " +
      `${TITLES[runtime] ?? "this runtime"} cannot interrupt`,
  };
}

const TITLES: Readonly<Record<string, string>> = { node: "Node", deno: "Deno", bun: "Bun" };

/** Terminates code other than a cell's own; Bun cannot. */
const RUNTIMES: Readonly<
  Record<string, (shared: Int32Array, inspector: string | undefined) => Terminator["terminate"]>
> = {
  node: () => terminateMainThread,
  deno: (shared, inspector) => async () => {
    const isScript = Atomics.load(shared, LOOP_SLOTS.phase) === LOOP_PHASES.script;
    if (inspector !== undefined && !isScript) await terminateByWebSocket(inspector);
    return true;
  },
};

/** Checks, five milliseconds apart, within which the code of a cell ends. */
const STEPS = 20;

/** The code of cells regularly checks whether it must end; true if it has ended. */
async function endCellCode(shared: Int32Array, isOver: () => boolean): Promise<boolean> {
  Atomics.store(shared, LOOP_SLOTS.mustEnd, 1);
  for (let step = 0; step < STEPS; step++) {
    await setTimeout(5);
    if (isOver()) return true;
  }
  return false;
}

/**
 * Deno's inspector can terminate more, but listens on a port that any local process may use. So only
 * one that the user has opened is used.
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
