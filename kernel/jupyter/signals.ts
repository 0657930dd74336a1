import process from "node:process";

/**
 * Watches for SIGINT in the thread of the sockets, which hears of it while a cell computes as well.
 *
 * Deno alone can do that. In a worker of Node a watcher made of its internals works, but then a
 * script that ran with `breakOnSigint` leaves behind a handler that ends the process.
 *
 * @returns False where a worker cannot see signals; they come from the main thread then.
 */
export function watchSignals(runtime: string, onSignal: () => void): boolean {
  if (runtime !== "deno") return false;
  process.on("SIGINT", onSignal);
  return true;
}
