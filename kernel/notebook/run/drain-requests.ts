import { setImmediate, setTimeout } from "node:timers/promises";
import type { Session } from "../../session/mod.ts";
import type { RunDocumentOptions } from "./run-options.ts";

const DEFAULT_LIMIT = 30_000;
const INTERVAL = 10;

export async function turn(): Promise<void> {
  await setImmediate();
}

/**
 * Waits for the pending requests that no cell awaits, and for those that follow them.
 *
 * @returns How many were aborted because they took longer than a cell may.
 */
export async function awaitRequests(
  { client }: Session,
  {
    reporter,
    signal,
    cellTimeout = DEFAULT_LIMIT,
  }: Pick<RunDocumentOptions, "reporter" | "signal" | "cellTimeout">,
): Promise<number> {
  if (client.pending.length === 0) return 0;
  const end = performance.now() + cellTimeout;
  try {
    while (client.pending.length > 0 && !signal.aborted) {
      const { pending } = client;
      if (performance.now() > end) {
        const seconds = cellTimeout / 1000;
        reporter.givenUp(pending, seconds);
        client.abort(
          new Error(`Giving up the request: no cell awaits it, and it took more than ${seconds} s`),
        );
        await turn();
        return pending.length;
      }
      reporter.waiting?.(pending);
      await setTimeout(INTERVAL);
      if (client.pending.length === 0) await turn();
    }
    return 0;
  } finally {
    reporter.waiting?.([]);
  }
}
