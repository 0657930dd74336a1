import type { Route } from "../http/mod.ts";
import { readQuery } from "../http/mod.ts";

const MOST_ROWS = 1_000_000;
const ROWS_A_PIECE = 500;

const FIRST_NAMES = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Donald", "Katherine"];
const LAST_NAMES = ["Stone", "Rivers", "Field", "Woods", "Hill", "Brook", "Lake", "Marsh", "Dale"];
const ROLES = ["admin", "editor", "viewer"];

/** A listing as long as one likes, the same every time, sent piece by piece. */
export const listingRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/listing",
    summary: `Streams a long array; rows (10000; at most ${MOST_ROWS})`,
    example: "/listing?rows=100",
    handle(context) {
      const query = readQuery(context);
      const rows = query.wholeNumber("rows", { fallback: 10_000, least: 0, most: MOST_ROWS });
      query.finish();
      return new Response(streamRows(rows), {
        status: 200,
        statusText: "OK",
        headers: { "Content-Type": "application/json", "X-Total-Count": String(rows) },
      });
    },
  },
];

function streamRows(rows: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const end = Math.min(rows, next + ROWS_A_PIECE);
      let piece = next === 0 ? "[" : "";
      for (; next < end; next++) piece += (next === 0 ? "\n" : ",\n") + JSON.stringify(row(next));
      controller.enqueue(encoder.encode(next === rows ? `${piece}\n]\n` : piece));
      if (next === rows) controller.close();
    },
  });
}

function row(index: number): Readonly<Record<string, unknown>> {
  // A fixed walk through 0 to 9999 that looks like chance.
  const score = (index * 7919 + 104_729) % 10_000;
  const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? "";
  const last = LAST_NAMES[score % LAST_NAMES.length] ?? "";
  return {
    id: index + 1,
    name: `${first} ${last}`,
    email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
    role: ROLES[score % ROLES.length],
    active: score % 4 !== 0,
    score: score / 100,
  };
}
