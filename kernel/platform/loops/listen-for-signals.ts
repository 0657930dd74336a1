import process from "node:process";
import { PLACES } from "./shared-memory-layout.ts";
import { startSigintWorker } from "./sigint-worker.ts";

/** The signals that end what a cell does. */
export type EndingSignal = "SIGINT" | "SIGTERM";

/** What Node's `process.on` is made of for signals. */
interface SignalWatcher {
  onsignal: () => void;
  start(signal: number): void;
  stop(): void;
}

interface NodeInternals {
  binding(name: "signal_wrap"): { readonly Signal: new () => SignalWatcher };
}

const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Hears one signal; what it gives back listens no longer. */
type Hear = (signal: EndingSignal, onSignal: () => void, shared: Int32Array) => () => void;

const HEARS: Readonly<Record<string, Hear>> = {
  // `process.on` hears of no signals in a worker of Node.
  node: (signal, onSignal, shared) => {
    const { Signal } = withoutDeprecation(() =>
      (process as unknown as NodeInternals).binding("signal_wrap"),
    );
    const watcher = new Signal();
    watcher.onsignal = onSignal;
    watcher.start(NUMBERS[signal]);
    listens(shared);
    return () => watcher.stop();
  },
  deno: (signal, onSignal, shared) => {
    process.on(signal, onSignal);
    listens(shared);
    return () => void process.off(signal, onSignal);
  },
  bun: (signal, onSignal, shared) => {
    // Of SIGTERM nobody hears while the main thread computes.
    if (signal === "SIGINT") {
      // Workers take the memory that a view is of.
      startSigintWorker(shared.buffer as SharedArrayBuffer, onSignal);
    }
    return () => undefined;
  },
};

/**
 * Hears signals in a thread that is not the main one, while that one computes as well. The main thread
 * must have handlers of its own for them.
 *
 * @returns What stops listening, as far as that is possible.
 */
export function hearSignals(
  runtime: string,
  signals: readonly EndingSignal[],
  shared: Int32Array,
  onSignal: () => void,
): () => void {
  const stops = signals.map((signal) => HEARS[runtime]?.(signal, onSignal, shared));
  return () => {
    for (const stop of stops) stop?.();
  };
}

function listens(shared: Int32Array): void {
  Atomics.store(shared, PLACES.listening, 1);
  Atomics.notify(shared, PLACES.listening);
}

/** Node warns, on the log of each front end, that its internals are not for everyone. */
function withoutDeprecation<T>(action: () => T): T {
  const before = process.noDeprecation;
  process.noDeprecation = true;
  try {
    return action();
  } finally {
    process.noDeprecation = before ?? false;
  }
}
