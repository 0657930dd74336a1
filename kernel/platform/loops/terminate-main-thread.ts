import { setTimeout } from "node:timers/promises";
import { REFUSED, terminateExpression } from "./termination.ts";

/**
 * A loop that only awaits is rarely, sometimes never, at a point where termination is safe. After
 * these attempts, a millisecond apart, the risk of some percent is better than a lost process.
 */
const ATTEMPTS = 120;
/** Milliseconds to wait for the inspector. */
const ANSWER_TIMEOUT = 1000;

/**
 * Terminates the JavaScript of Node's main thread, which has called `prepareTermination`, from another
 * thread. The stack and the microtasks are dropped: terminated code never settles, and nothing may
 * wait for it.
 *
 * @param isOver Whether nothing is left to terminate.
 * @returns False if restlab's own code was running, which continues.
 */
export async function terminateMainThread(isOver: () => boolean): Promise<boolean> {
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const expression = terminateExpression(attempt === ATTEMPTS);
      const result = await new Promise((resolve) => {
        // Code that is terminated while it answers never does.
        void setTimeout(ANSWER_TIMEOUT, undefined, { ref: false }).then(resolve);
        session.post("Runtime.evaluate", { expression }, (_error, answer) =>
          resolve(answer?.result?.value),
        );
      });
      if (result === REFUSED.internal) return false;
      if (result !== REFUSED.unsafe || isOver()) return true;
      await setTimeout(1);
    }
    return true;
  } finally {
    session.disconnect();
  }
}
