import process from "node:process";

/** Node's own signal watcher, in so far as it is used here. */
interface SignalWatcher {
  onsignal: () => void;
  start(signal: number): number;
  unref(): void;
}

interface NodeInternals {
  binding(name: "signal_wrap"): { readonly Signal: new () => SignalWatcher };
}

const SIGINT = 2;

/**
 * Watches for SIGINT in this worker, since the main thread hears of one only when no cell computes.
 *
 * @returns False where a worker cannot see signals; they come from the main thread then.
 */
export function watchSignals(runtime: string, onSignal: () => void): boolean {
  if (runtime === "deno") {
    process.on("SIGINT", onSignal);
    return true;
  }
  return runtime === "node" && watchNatively(onSignal);
}

/** `process.on` sees no signals in a worker of Node; what it is made of does. */
function watchNatively(onSignal: () => void): boolean {
  const { emitWarning } = process;
  try {
    // The warning that this is internal is for us, not for the user.
    process.emitWarning = () => undefined;
    const { Signal } = (process as unknown as NodeInternals).binding("signal_wrap");
    const watcher = new Signal();
    watcher.onsignal = onSignal;
    watcher.unref();
    return watcher.start(SIGINT) === 0;
  } catch {
    // A Node without it: the main thread's listener serves while no cell computes.
    return false;
  } finally {
    process.emitWarning = emitWarning;
  }
}
