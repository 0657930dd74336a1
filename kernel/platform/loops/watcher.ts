/** The program of a thread that watches the main one; a file of its own because a worker needs one. */
import { writeSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers";
import { parentPort, workerData } from "node:worker_threads";
import { createInterrupter } from "./interrupter.ts";
import { type EndingSignal, hearSignals } from "./listen-for-signals.ts";
import { createForce } from "./terminator.ts";

/** What the watcher is started with. */
export interface WatcherStart {
  readonly memory: SharedArrayBuffer;
  readonly runtime: string;
}

/** What the main thread tells it. */
export type ToWatcher =
  | {
      readonly kind: "settings";
      readonly signals: readonly EndingSignal[];
      readonly lastWords: string | undefined;
    }
  /** What a cell computes in so many milliseconds is to be ended then; nothing where none is given. */
  | { readonly kind: "limit"; readonly limit: number | undefined; readonly cell: number };

/** A main thread that waits hears of a signal within so many milliseconds, on a busy machine too. */
const PATIENCE = 300;

const { memory, runtime } = workerData as WatcherStart;
const shared = new Int32Array(memory);
const force = createForce({ runtime, shared });
/** On Bun nobody but this thread has heard of it. */
const tell = (): void => (runtime === "bun" ? parentPort?.postMessage("SIGINT") : undefined);
const bySignal = createInterrupter({ shared, force, tell, patience: PATIENCE });
const byLimit = createInterrupter({ shared, force, tell: () => undefined, patience: PATIENCE });
let lastWords: string | undefined;
let stop = (): void => undefined;
let timer: NodeJS.Timeout | undefined;

const actions: { [K in ToWatcher["kind"]]: (message: Extract<ToWatcher, { kind: K }>) => void } = {
  settings: (settings) => {
    stop();
    lastWords = settings.lastWords;
    stop = hearSignals(runtime, settings.signals, shared, () => void end(bySignal));
  },
  limit: ({ limit, cell }) => {
    clearTimeout(timer);
    if (limit !== undefined) timer = setTimeout(() => void end(byLimit, cell), limit);
  },
};

async function end(interrupter: typeof bySignal, cell?: number): Promise<void> {
  if (await interrupter.interrupt(cell)) return;
  if (lastWords === undefined) {
    writeSync(2, `Interrupting failed: ${force.excuse}\n`);
    return;
  }
  try {
    writeSync(2, `${lastWords}\n`);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}

parentPort?.on("message", (message: ToWatcher) => {
  (actions[message.kind] as (message: ToWatcher) => void)(message);
});
