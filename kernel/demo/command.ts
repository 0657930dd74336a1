import type { Platform } from "../platform/mod.ts";
import { startDemo } from "./serve.ts";

/**
 * `restlab demo`: serves the embedded users API until Ctrl-C.
 *
 * @returns The exit status: 0, or 2 where the port is not available.
 */
export async function demoCommand(
  options: { readonly port: number; readonly host: string },
  { stdout, stderr, onInterrupt }: Platform,
): Promise<number> {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  try {
    demo = await startDemo(options);
  } catch (error) {
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    stderr.write(`restlab: ${toVisibleLine((error as Error).message)}\n`);
    return 2;
  }
  stdout.write(`The users API listens on ${demo.url} (Ctrl-C ends it)\n`);
  await new Promise<void>((resolve) => onInterrupt(resolve));
  await demo.close();
  return 0;
}
