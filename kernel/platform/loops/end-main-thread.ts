import { setTimeout } from "node:timers/promises";
import { REFUSED, terminateExpression } from "./termination.ts";

/**
 * A loop that does nothing but await is hardly ever, and sometimes never, where it can be ended
 * safely. After so many milliseconds the risk, some percent, is better than a process that is lost.
 */
const ATTEMPTS = 120;
/** So many milliseconds an answer of the inspector is waited for. */
const ANSWER = 1000;

/**
 * Ends what Node's main thread computes, from another thread, where `prepareTermination` was called
 * there. Drops the stack and the microtasks: what is cut off never comes to an end, and whoever waits
 * for it has to stop doing so.
 *
 * @param isOver Whether there is nothing left to be ended.
 * @returns False where our own code was at work, which goes on.
 */
export async function endMainThread(isOver: () => boolean): Promise<boolean> {
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const expression = terminateExpression(attempt === ATTEMPTS);
      const result = await new Promise((resolve) => {
        // What is cut off in the very act of answering never does so.
        void setTimeout(ANSWER, undefined, { ref: false }).then(resolve);
        session.post("Runtime.evaluate", { expression }, (_error, answer) =>
          resolve(answer?.result?.value),
        );
      });
      if (result === REFUSED.own) return false;
      if (result !== REFUSED.unsafe || isOver()) return true;
      await setTimeout(1);
    }
    return true;
  } finally {
    session.disconnect();
  }
}
