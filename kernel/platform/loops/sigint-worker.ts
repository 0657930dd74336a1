import { Worker } from "node:worker_threads";
import { LOOP_SLOTS } from "./shared-memory-layout.ts";

/**
 * The program of a thread that receives SIGINT on Bun, where `process.on` works in the main thread
 * only, but a script with `breakOnSigint` is interrupted in any thread.
 *
 * The outer script never ends: when the last script of that kind ends, Bun loses a signal that comes
 * then, and hangs if another one starts meanwhile.
 */
const PROGRAM = `
const { workerData, parentPort } = require("node:worker_threads");
const { runInThisContext } = require("node:vm");
const shared = new Int32Array(workerData);
const never = new Int32Array(new SharedArrayBuffer(4));
globalThis.waitForSignal = () => {
  Atomics.store(shared, ${LOOP_SLOTS.listening}, 1);
  Atomics.notify(shared, ${LOOP_SLOTS.listening});
  Atomics.wait(never, 0, 0);
};
globalThis.waitForSignals = () => {
  for (;;) runUntilSignal("waitForSignal()");
};
function runUntilSignal(script) {
  try {
    runInThisContext(script, { breakOnSigint: true });
  } catch {
    parentPort.postMessage("SIGINT");
  }
}
for (;;) runUntilSignal("waitForSignals()");
`;

/**
 * Starts that thread. The process must already have a handler for SIGINT, or Bun passes the signal
 * only to a handler that is added later; only `process.exit` ends the thread.
 */
export function startSigintWorker(memory: SharedArrayBuffer, onSignal: () => void): void {
  const worker = new Worker(PROGRAM, { eval: true, workerData: memory });
  worker.on("message", onSignal);
  worker.unref();
}
