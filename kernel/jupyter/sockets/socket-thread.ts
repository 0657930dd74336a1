import { Worker } from "node:worker_threads";

/**
 * Starts the thread of the sockets before anything else of a kernel is loaded: either takes about as
 * long as the other. It waits for the plan of the sockets.
 */
export function startSocketThread(): Worker {
  return new Worker(workerFile(), { trackUnmanagedFds: false });
}

/** The sources run as they are; the package has the worker elsewhere. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./worker.ts" : "../kernel/jupyter/worker.js", import.meta.url);
}
