import type { Session } from "node:inspector";
import { terminateExpression, UNSAFE } from "./termination.ts";

/** What {@link terminateMainThread} evaluates, and how often. */
export interface Termination {
  /** Ends nothing where it would do harm, and comes to `unsafe` then. */
  readonly safe: string;
  readonly risky: string;
  readonly unsafe: string;
  readonly attempts: number;
}

/**
 * A loop that does nothing but await is hardly ever, and sometimes never, where it can be ended
 * safely. After so many milliseconds the risk, some percent, is better than a process that is lost.
 */
const ATTEMPTS = 120;

/** What ends the main thread's JavaScript. */
export const TERMINATION: Termination = {
  safe: terminateExpression(false),
  risky: terminateExpression(true),
  unsafe: UNSAFE,
  attempts: ATTEMPTS,
};

/**
 * Ends what the main thread computes, from another thread, where `prepareTermination` was called
 * there. Drops the stack and the microtasks; that would leave a script's caller waiting for ever.
 *
 * It uses nothing from outside of itself: a thread that is made of a text gets it as a text.
 *
 * @param session One of this thread, of `node:inspector`.
 */
export async function terminateMainThread(
  session: Session,
  { safe, risky, unsafe, attempts }: Termination,
): Promise<void> {
  session.connectToMainThread();
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const expression = attempt === attempts ? risky : safe;
    const result = await new Promise((resolve) => {
      session.post("Runtime.evaluate", { expression }, (_error, answer) =>
        resolve(answer?.result?.value),
      );
    });
    if (result !== unsafe) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  session.disconnect();
}
