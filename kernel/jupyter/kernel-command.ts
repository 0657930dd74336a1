import { Worker } from "node:worker_threads";
import type { Platform } from "../platform/mod.ts";

/**
 * Runs a kernel until it is shut down, and ends the process.
 *
 * The thread of the sockets is started before anything else of a kernel is loaded, since front ends wait for it: it
 * reads the connection file, listens, and answers `kernel_info_request` by itself.
 *
 * @param connectionFile The path of the file with the ports to listen on.
 * @param loadPlatform Loads what a kernel needs beside its sockets.
 */
export async function kernelCommand(
  connectionFile: string,
  loadPlatform: () => Promise<Platform>,
): Promise<void> {
  const thread = new Worker(workerFile(), { workerData: connectionFile, trackUnmanagedFds: false });
  const [platform, { runKernel }] = await Promise.all([loadPlatform(), import("./run-kernel.ts")]);
  await platform.exit(await runKernel(platform, thread));
}

/** The sources run as they are; the package has the worker elsewhere. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./worker.ts" : "../kernel/jupyter/worker.js", import.meta.url);
}
