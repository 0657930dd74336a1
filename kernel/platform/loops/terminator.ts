import { setTimeout } from "node:timers/promises";
import { endMainThread } from "./end-main-thread.ts";
import { PHASES, PLACES } from "./shared-memory-layout.ts";

/** Ends JavaScript that computes without a break, from another thread. */
export interface Force {
  /**
   * Uses it.
   *
   * @param isOver Whether there is nothing left to be ended.
   * @returns False where work of our own was at it, which must not be cut off.
   */
  use(isOver: () => boolean): Promise<boolean>;
  /** What to say where that did not help. */
  readonly excuse: string;
}

/** What a force works with. */
export interface ForceOptions {
  readonly runtime: string;
  readonly shared: Int32Array;
  /** Where the inspector of the cells' thread listens, where the user has opened it. */
  readonly inspector?: string | undefined;
}

/** The cell's own code first, which ends without any risk; then what else this runtime can end. */
export function createForce({ runtime, shared, inspector }: ForceOptions): Force {
  const beyond = BEYOND[runtime]?.(shared, inspector) ?? (async () => true);
  return {
    use: async (isOver) => (await endFromWithin(shared, isOver)) || beyond(isOver),
    excuse:
      "The cell is busy in code other than its own (a package, a sort, a regular expression), which " +
      `${NAMES[runtime] ?? "this runtime"} cannot interrupt`,
  };
}

const NAMES: Readonly<Record<string, string>> = { node: "Node", deno: "Deno", bun: "Bun" };

/** Ends what is not code of a cell, or is where it cannot look; Bun has nothing of the kind. */
const BEYOND: Readonly<
  Record<string, (shared: Int32Array, inspector: string | undefined) => Force["use"]>
> = {
  node: () => endMainThread,
  deno: (shared, inspector) => async () => {
    const isScript = Atomics.load(shared, PLACES.phase) === PHASES.script;
    if (inspector !== undefined && !isScript) await terminateByWebSocket(inspector);
    return true;
  },
};

/** A cell has so many times five milliseconds to see that it is to end. */
const STEPS = 20;

/** The code of cells looks now and then whether it is to end; true where it has. */
async function endFromWithin(shared: Int32Array, isOver: () => boolean): Promise<boolean> {
  Atomics.store(shared, PLACES.mustEnd, 1);
  for (let step = 0; step < STEPS; step++) {
    await setTimeout(5);
    if (isOver()) return true;
  }
  return false;
}

/**
 * Deno's inspector could end more, but listens on a port that any local process may use. It is used
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
