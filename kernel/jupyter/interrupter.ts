import { setTimeout } from "node:timers";
import type { Force } from "./force.ts";
import type { Replies } from "./protocol.ts";
import { PHASES, PLACES } from "./seam.ts";

/** Ends what the running cell does, however it does it. */
export interface Interrupter {
  /** @returns The content of the reply, which says whether it worked. */
  interrupt(): Promise<Replies["interrupt_reply"]>;
}

/** What an interrupter works with. */
export interface InterrupterOptions {
  readonly shared: Int32Array;
  readonly force: Force;
  /** Ends a question to the user; whether there was one. */
  readonly cancelQuestion: () => boolean;
  /** Asks the cells' thread to interrupt. */
  readonly tell: (id: number) => void;
  /** Says in the cell that it goes on. */
  readonly excuse: (text: string) => void;
}

/** The cells' thread answers within this time when no cell computes, in milliseconds. */
const PATIENCE = 120;
/** What it has after each use of force; Bun takes a third of a second to end a script. */
const AFTER_FORCE = 220;
/** Loading and checking TypeScript must not be cut off in the middle; it takes less than this. */
const LONGEST_COMPILATION = 10_000;
/** A cell may have left several loops behind. */
const ROUNDS = 3;
const STEP = 5;

/** Creates an interrupter for the thread of the sockets. */
export function createInterrupter(options: InterrupterOptions): Interrupter {
  const { shared, force, cancelQuestion, tell, excuse } = options;
  let count = 0;

  async function interrupt(): Promise<Replies["interrupt_reply"]> {
    // The question throws in the cell: nothing else may be interrupted in its place.
    if (cancelQuestion()) return { status: "ok" };
    count += 1;
    const id = count;
    tell(id);
    if (await isTaken(id, PATIENCE)) return { status: "ok" };
    if (!(await mayUseForce(id))) return { status: "ok" };
    for (let round = 0; round < ROUNDS; round++) {
      const inScript = Atomics.load(shared, PLACES.phase) === PHASES.script;
      const way = inScript ? force.script : force.callbacks;
      if (way === undefined) break;
      await way();
      if (await isTaken(id, AFTER_FORCE)) return { status: "ok" };
    }
    excuse(force.excuse);
    return { status: "error", ename: "InterruptError", evalue: force.excuse, traceback: [] };
  }

  async function isTaken(id: number, patience: number): Promise<boolean> {
    return await waitFor(() => Atomics.load(shared, PLACES.taken) >= id, patience);
  }

  /** Waits while work of our own holds the thread up; false where the interrupt is taken then. */
  async function mayUseForce(id: number): Promise<boolean> {
    const isUserCode = (): boolean => Atomics.load(shared, PLACES.phase) !== PHASES.own;
    const taken = (): boolean => Atomics.load(shared, PLACES.taken) >= id;
    await waitFor(() => taken() || isUserCode(), LONGEST_COMPILATION);
    return !taken();
  }

  return { interrupt };
}

async function waitFor(condition: () => boolean, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  return true;
}
