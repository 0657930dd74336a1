import { setTimeout } from "node:timers/promises";
import { wakeEars } from "./ears.ts";
import { endMainThread } from "./end-main-thread.ts";
import { PHASES, PLACES } from "./places.ts";

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

/** What this runtime can do. */
export function createForce(options: ForceOptions): Force {
  return (FORCES[options.runtime] ?? NONE)(options);
}

type MakeForce = (options: ForceOptions) => Force;

const NONE: MakeForce = () => ({ use: async () => true, excuse: "" });

const FORCES: Readonly<Record<string, MakeForce>> = {
  node: () => ({
    use: endMainThread,
    excuse: "The cell could not be ended",
  }),
  deno: ({ shared, inspector }) => ({
    use: async (isOver) => {
      if (await endLoops(shared, isOver)) return true;
      const isScript = phaseOf(shared) === PHASES.script;
      if (inspector !== undefined && !isScript) await terminateByWebSocket(inspector);
      return true;
    },
    excuse:
      "The cell computes without a loop that could be ended, and Deno offers no way to end that " +
      "from outside",
  }),
  bun: ({ shared }) => ({
    use: async (isOver) => {
      if (await endLoops(shared, isOver)) return true;
      if (phaseOf(shared) === PHASES.script) strike(shared);
      return true;
    },
    excuse:
      "The cell computes after an await without a loop that could be ended, and Bun offers no way " +
      "to end that from outside",
  }),
};

const phaseOf = (shared: Int32Array): number => Atomics.load(shared, PLACES.phase);

/** A loop of a cell has so many times five milliseconds to see that it is to end. */
const LOOP_STEPS = 20;

/** The loops of cells look now and then whether they are to end; true where one has. */
async function endLoops(shared: Int32Array, isOver: () => boolean): Promise<boolean> {
  Atomics.store(shared, PLACES.endLoops, 1);
  for (let step = 0; step < LOOP_STEPS; step++) {
    await setTimeout(5);
    if (isOver()) return true;
  }
  return false;
}

/** A script that runs with `breakOnSigint` ends with an exception, as if it had thrown it. */
function strike(shared: Int32Array): void {
  // It takes longer than a round; one is enough.
  if (Atomics.exchange(shared, PLACES.strike, 1) === 0) wakeEars(shared);
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
