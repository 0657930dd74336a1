import type { Platform } from "../platform/mod.ts";
import { startSocketThread } from "./sockets/mod.ts";

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
