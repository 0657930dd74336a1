import process from "node:process";

/** What Node's `process.on` is made of for signals. */
interface SignalWatcher {
  onsignal: () => void;
  start(signal: number): void;
}

interface NodeInternals {
  binding(name: "signal_wrap"): { readonly Signal: new () => SignalWatcher };
}

type Watch = (onSignal: () => void) => void;

const WATCHES: Readonly<Record<string, Watch>> = {
  deno: (onSignal) => void process.on("SIGINT", onSignal),
  // `process.on` hears of no signals in a worker of Node.
  node: (onSignal) => {
    const { Signal } = withoutDeprecation(() =>
      (process as unknown as NodeInternals).binding("signal_wrap"),
    );
    const watcher = new Signal();
    watcher.onsignal = onSignal;
    watcher.start(SIGINT);
  },
};

const SIGINT = 2;

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

/**
 * Watches for SIGINT in the thread of the sockets, which hears of it while a cell computes as well.
 *
 * @returns False where a worker cannot see signals; they come from the main thread then.
 */
export function watchSignals(runtime: string, onSignal: () => void): boolean {
  const watch = WATCHES[runtime];
  watch?.(onSignal);
  return watch !== undefined;
}
