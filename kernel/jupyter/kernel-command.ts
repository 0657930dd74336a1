import { Worker } from "node:worker_threads";
import type { Platform } from "../platform/mod.ts";

/**
 * Runs a kernel until it is shut down.
 *
 * @param connectionFile The path of the file with the ports to listen on.
 * @returns The exit status: 0 after a shutdown, 1 if the kernel could not start, or what a cell
 * passed to `process.exit`.
 */
export async function kernelCommand(connectionFile: string, platform: Platform): Promise<number> {
  const thread = startSocketThread();
  const { runKernel } = await import("./run-kernel.ts");
  return await runKernel(connectionFile, platform, thread);
}

/**
 * Starts the thread of the sockets before anything else of a kernel is loaded: either takes about as
 * long as the other. It waits for its options.
 */
function startSocketThread(): Worker {
  return new Worker(workerFile(), { trackUnmanagedFds: false });
}

/** The sources run as they are; the package has the worker elsewhere. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./worker.ts" : "../kernel/jupyter/worker.js", import.meta.url);
}
