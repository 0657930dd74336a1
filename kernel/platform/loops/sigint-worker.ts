import { Worker } from "node:worker_threads";
import { PLACES } from "./shared-memory-layout.ts";

/**
 * The program of a thread that hears SIGINT on Bun, where `process.on` does so in no thread but the
 * main one: a script that waits with `breakOnSigint` is told of it in any thread.
 *
 * `stay` is never left: where the last script of that kind ends Bun loses a signal that comes then, and
 * hangs where another one begins meanwhile.
 */
const EARS = `
const { workerData, parentPort } = require("node:worker_threads");
const { runInThisContext } = require("node:vm");
const shared = new Int32Array(workerData);
const never = new Int32Array(new SharedArrayBuffer(4));
globalThis.listen = () => {
  Atomics.store(shared, ${PLACES.listening}, 1);
  Atomics.notify(shared, ${PLACES.listening});
  Atomics.wait(never, 0, 0);
};
globalThis.stay = () => {
  for (;;) hearIn("listen()");
};
function hearIn(script) {
  try {
    runInThisContext(script, { breakOnSigint: true });
  } catch {
    parentPort.postMessage("SIGINT");
  }
}
for (;;) hearIn("stay()");
`;

/**
 * Starts it. The process must have a handler for SIGINT before, or Bun gives the signal to that alone
 * when there is one; and `process.exit` has to end it.
 */
export function startSigintWorker(memory: SharedArrayBuffer, onSignal: () => void): void {
  const thread = new Worker(EARS, { eval: true, workerData: memory });
  thread.on("message", onSignal);
  thread.unref();
}
