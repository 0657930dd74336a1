import { setImmediate, setTimeout } from "node:timers/promises";
import type { Session } from "../../session/mod.ts";
import type { RunDocumentOptions } from "./run-options.ts";

/** Requests are waited for so long where no limit was given: the limit of each of them. */
const USUAL_LIMIT = 30_000;
const INTERVAL = 10;

/** Lets the runtime report what has failed in the turn that ends. */
export async function turn(): Promise<void> {
  await setImmediate();
}

/**
 * Waits for the requests that are on their way though no cell awaits them, and for those that follow
 * from their answers.
 *
 * @returns How many were given up since they took longer than a cell may.
 */
export async function awaitRequests(
  { client }: Session,
  {
    reporter,
    signal,
    cellTimeout = USUAL_LIMIT,
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
      reporter.waiting(pending);
      await setTimeout(INTERVAL);
      if (client.pending.length === 0) await turn();
    }
    return 0;
  } finally {
    reporter.waiting([]);
  }
}
