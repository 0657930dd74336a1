import { writeSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers";
import { parentPort, workerData } from "node:worker_threads";
import { type EndingSignal, listenForSignals } from "./signals.ts";
import { createTerminator, interruptCell } from "./termination.ts";

/** The program of a thread that watches the main one. */

/** What the watcher is started with. */
export interface WatcherStart {
  readonly memory: SharedArrayBuffer;
  readonly runtime: string;
}

/** Messages from the main thread. */
export type ToWatcher =
  | {
      readonly kind: "settings";
      readonly signals: readonly EndingSignal[];
      readonly exitMessage: string | undefined;
    }
  /** Ends the cell if it still computes after a number of milliseconds, or cancels that. */
  | { readonly kind: "limit"; readonly limit: number | undefined; readonly cell: number };

/** Milliseconds within which a main thread that waits acknowledges a signal, on a busy machine too. */
const PATIENCE = 300;

const { memory, runtime } = workerData as WatcherStart;
const shared = new Int32Array(memory);
const terminator = createTerminator({ runtime, shared });
let exitMessage: string | undefined;
let stopListening = (): void => undefined;
let timer: NodeJS.Timeout | undefined;

parentPort?.on("message", (message: ToWatcher) => {
  if (message.kind === "settings") {
    stopListening();
    exitMessage = message.exitMessage;
    stopListening = listenForSignals(runtime, message.signals, shared, onSignal);
    return;
  }
  clearTimeout(timer);
  if (message.limit === undefined) return;
  timer = setTimeout(() => void interrupt(() => undefined, message.cell), message.limit);
});

function onSignal(): void {
  void interrupt(() => {
    // On Bun only this thread receives the signal.
    if (runtime === "bun") parentPort?.postMessage("SIGINT");
  });
}

async function interrupt(notify: () => void, cell?: number): Promise<void> {
  if (await interruptCell({ shared, terminator, notify, patience: PATIENCE, cell })) return;
  if (exitMessage === undefined) {
    writeSync(2, `Interrupting failed: ${terminator.limitation}\n`);
    return;
  }
  try {
    writeSync(2, `${exitMessage}\n`);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
