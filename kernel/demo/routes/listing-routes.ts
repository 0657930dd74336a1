import { type Route, readQuery } from "../http/mod.ts";

const MAX_ROWS = 1_000_000;
const ROWS_PER_CHUNK = 500;

const FIRST_NAMES = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Donald", "Katherine"];
const LAST_NAMES = ["Stone", "Rivers", "Field", "Woods", "Hill", "Brook", "Lake", "Marsh", "Dale"];
const ROLES = ["admin", "editor", "viewer"];

/** An array of any length, streamed. The same rows every time. */
export const listingRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/listing",
    summary: `Streams a long array; rows (10000; at most ${MAX_ROWS})`,
    example: "/listing?rows=100",
    handle(context) {
      const query = readQuery(context);
      const rows = query.integer("rows", { fallback: 10_000, min: 0, max: MAX_ROWS });
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
      const end = Math.min(rows, next + ROWS_PER_CHUNK);
      let chunk = next === 0 ? "[" : "";
      for (; next < end; next++) chunk += (next === 0 ? "\n" : ",\n") + JSON.stringify(row(next));
      controller.enqueue(encoder.encode(next === rows ? `${chunk}\n]\n` : chunk));
      if (next === rows) controller.close();
    },
  });
}

function row(index: number): Readonly<Record<string, unknown>> {
  // Looks random, and repeats: a permutation of 0 to 9999.
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
