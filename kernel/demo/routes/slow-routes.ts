import type { Route } from "../http/mod.ts";
import { Problem, readQuery, respondJson } from "../http/mod.ts";

const LONGEST_WAIT = 60_000;

/** An answer that lets one wait. */
export const slowRoutes: readonly Route[] = [
  {
    method: "ANY",
    path: "/slow",
    summary: `Answers after ms milliseconds (1000; at most ${LONGEST_WAIT})`,
    example: "/slow?ms=250",
    async handle(context) {
      const query = readQuery(context);
      const waited = query.wholeNumber("ms", { fallback: 1000, least: 0, most: LONGEST_WAIT });
      query.finish();
      await wait(waited, context.req.raw.signal);
      return respondJson(200, { waited });
    },
  },
];

/** Ends early when the client goes, so that nothing of a dropped request stays behind. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(new Problem(503, "The request was given up"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
}
