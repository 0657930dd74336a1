import { setTimeout } from "node:timers/promises";
import { Problem, type Route, readQuery, respondJson } from "../http/mod.ts";

const LONGEST_WAIT = 60_000;

/** An answer that takes as long as the query says. */
export const slowRoutes: readonly Route[] = [
  {
    method: "ANY",
    path: "/slow",
    summary: `Answers after ms milliseconds (1000; at most ${LONGEST_WAIT})`,
    example: "/slow?ms=250",
    async handle(context) {
      const query = readQuery(context);
      const waited = query.integer("ms", { fallback: 1000, min: 0, max: LONGEST_WAIT });
      query.finish();
      const { signal } = context.req.raw;
      await setTimeout(waited, undefined, { signal }).catch(() => {
        throw new Problem(503, "The client disconnected");
      });
      return respondJson(200, { waited });
    },
  },
];
