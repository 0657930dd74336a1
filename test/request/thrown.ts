import type { Faulty } from "../../lib/interpolation/mod.ts";

/** What an action throws, for tests that look at it closely. */
export function thrownBy(action: () => unknown): Error & Faulty {
  try {
    action();
  } catch (error) {
    return error as Error & Faulty;
  }
  throw new Error("Nothing was thrown");
}
