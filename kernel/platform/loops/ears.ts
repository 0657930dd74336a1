import { Worker } from "node:worker_threads";
import { PLACES } from "./places.ts";

/** A signal to a script that computes takes a third of a second; so long nobody else listens. */
const STRIKE = 1000;

/**
 * The program of a thread that hears SIGINT on Bun, where `process.on` does so in no thread but the
 * main one: a script that waits with `breakOnSigint` is told of it in any thread. Of several such
 * scripts only the one that began last is told, so `listen` begins anew when a cell's script has begun:
 * nothing may be cut off that can be asked to end. It steps aside where that did not help.
 *
 * `stay` is never left: where the last script of that kind ends Bun loses a signal that comes then, and
 * hangs where another one begins meanwhile.
 */
const EARS = `
const { workerData, parentPort } = require("node:worker_threads");
const { runInThisContext } = require("node:vm");
const shared = new Int32Array(workerData);
let wake;
let isStriking = false;
globalThis.listen = () => {
  Atomics.store(shared, ${PLACES.listening}, 1);
  Atomics.notify(shared, ${PLACES.listening});
  Atomics.wait(shared, ${PLACES.wake}, wake);
};
globalThis.stay = () => {
  for (;;) {
    wake = Atomics.load(shared, ${PLACES.wake});
    isStriking = Atomics.load(shared, ${PLACES.strike}) === 1;
    if (isStriking) {
      process.kill(process.pid, "SIGINT");
      Atomics.wait(shared, ${PLACES.strike}, 1, ${STRIKE});
      Atomics.store(shared, ${PLACES.strike}, 0);
      isStriking = false;
    }
    hearIn("listen()");
  }
};
function hearIn(script) {
  try {
    runInThisContext(script, { breakOnSigint: true });
  } catch {
    // A strike that comes when the script has ended is no wish of the user's.
    if (!isStriking) parentPort.postMessage("SIGINT");
  }
}
for (;;) hearIn("stay()");
`;

/**
 * Starts it. The process must have a handler for SIGINT before, or Bun gives the signal to that alone
 * when there is one; and `process.exit` has to end it.
 */
export function startEars(memory: SharedArrayBuffer, onSignal: () => void): void {
  const thread = new Worker(EARS, { eval: true, workerData: memory });
  thread.on("message", onSignal);
  thread.unref();
}

/** Has the ears look up: a script has begun, or is to be struck. */
export function wakeEars(shared: Int32Array): void {
  Atomics.add(shared, PLACES.wake, 1);
  Atomics.notify(shared, PLACES.wake);
}
