import process from "node:process";
import { Worker } from "node:worker_threads";
import { LOOP_SLOTS } from "./loop-memory.ts";

/** The signals that end a cell. */
export type EndingSignal = "SIGINT" | "SIGTERM";

/** What Node's `process.on` uses for signals. */
interface SignalWatcher {
  onsignal: () => void;
  start(signal: number): void;
  stop(): void;
}

interface NodeInternals {
  binding(name: "signal_wrap"): { readonly Signal: new () => SignalWatcher };
}

const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Listens for one signal and returns what stops listening. */
type Listen = (signal: EndingSignal, onSignal: () => void, shared: Int32Array) => () => void;

const RUNTIMES: Readonly<Record<string, Listen>> = {
  // In a worker of Node `process.on` does not receive signals.
  node: (signal, onSignal, shared) => {
    const { Signal } = withoutDeprecation(() =>
      (process as unknown as NodeInternals).binding("signal_wrap"),
    );
    const watcher = new Signal();
    watcher.onsignal = onSignal;
    watcher.start(NUMBERS[signal]);
    markListening(shared);
    return () => watcher.stop();
  },
  deno: (signal, onSignal, shared) => {
    process.on(signal, onSignal);
    markListening(shared);
    return () => void process.off(signal, onSignal);
  },
  bun: (signal, onSignal, shared) => {
    // SIGTERM cannot be received while the main thread computes.
    if (signal === "SIGINT") {
      startSigintWorker(shared.buffer as SharedArrayBuffer, onSignal);
    }
    return () => undefined;
  },
};

/**
 * Listens for signals in another thread than the main one, also while that one computes. The main
 * thread must have handlers for them as well.
 *
 * @returns What stops listening, except on Bun.
 */
export function listenForSignals(
  runtime: string,
  signals: readonly EndingSignal[],
  shared: Int32Array,
  onSignal: () => void,
): () => void {
  const stops = signals.map((signal) => RUNTIMES[runtime]?.(signal, onSignal, shared));
  return () => {
    for (const stop of stops) stop?.();
  };
}

function markListening(shared: Int32Array): void {
  Atomics.store(shared, LOOP_SLOTS.listening, 1);
  Atomics.notify(shared, LOOP_SLOTS.listening);
}

/** Node would write a deprecation warning for its internals to the log of each front end. */
function withoutDeprecation<T>(action: () => T): T {
  const before = process.noDeprecation;
  process.noDeprecation = true;
  try {
    return action();
  } finally {
    process.noDeprecation = before ?? false;
  }
}

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
function startSigintWorker(memory: SharedArrayBuffer, onSignal: () => void): void {
  const worker = new Worker(PROGRAM, { eval: true, workerData: memory });
  worker.on("message", onSignal);
  worker.unref();
}
