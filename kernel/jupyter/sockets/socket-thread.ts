import { Worker } from "node:worker_threads";

/**
 * Starts the thread that holds the sockets. It waits to be told which, so that it can begin before
 * anything else of a kernel is loaded: either takes about as long as the other.
 */
export function startSocketThread(): Worker {
  return new Worker(workerFile(), { trackUnmanagedFds: false });
}

/** The sources run as they are; the package has the worker at a place of its own. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./worker.ts" : "../kernel/jupyter/worker.js", import.meta.url);
}
