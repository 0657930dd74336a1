import { setTimeout } from "node:timers/promises";
import type { Context } from "hono";
import { type Route, readQuery, reasonPhrase } from "./http.ts";

const MAX_CHUNKS = 10_000;
const LONGEST_PAUSE = 10_000;

const WORDS = "What begins as a word becomes a sentence, piece by piece, while it is being read.";

const MAX_ROWS = 1_000_000;
const ROWS_PER_CHUNK = 500;

/** Answers that arrive in chunks, and an array of any length. */
export const streamRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/events",
    summary: `Sends count (5) server-sent events, one every ms milliseconds (100; at most ${LONGEST_PAUSE})`,
    example: "/events?count=3&ms=50",
    handle: (context) =>
      paced(context, "text/event-stream", 5, (n) => {
        return `event: tick\nid: ${n}\ndata: ${JSON.stringify({ n, left: "!".repeat(n) })}\n\n`;
      }),
  },
  {
    method: "GET",
    path: "/ndjson",
    summary: "Sends count (5) lines of JSON Lines, one every ms milliseconds (100)",
    example: "/ndjson?count=3&ms=50",
    handle: (context) =>
      paced(context, "application/x-ndjson", 5, (n) => {
        return `${JSON.stringify({ n, square: n * n, even: n % 2 === 0 })}\n`;
      }),
  },
  {
    method: "GET",
    path: "/chunks",
    summary:
      "Sends a sentence word by word, the first count (all) of them, one every ms milliseconds",
    example: "/chunks?ms=50",
    handle: (context) => {
      const words = WORDS.split(/(?<= )/);
      return paced(context, "text/plain; charset=utf-8", words.length, (n) => {
        return words[(n - 1) % words.length] ?? "";
      });
    },
  },
  {
    method: "GET",
    path: "/listing",
    summary: `Streams a long array; rows (10000; at most ${MAX_ROWS})`,
    example: "/listing?rows=100",
    handle(context) {
      const query = readQuery(context);
      const rows = query.integer("rows", { fallback: 10_000, min: 0, max: MAX_ROWS });
      query.finish();
      const headers = { "Content-Type": "application/json", "X-Total-Count": String(rows) };
      return stream(headers, listing(rows));
    },
  },
];

/** @param chunkOf Returns the chunk with a number, from 1. */
function paced(
  context: Context,
  type: string,
  defaultCount: number,
  chunkOf: (n: number) => string,
): Response {
  const query = readQuery(context);
  const count = query.integer("count", { fallback: defaultCount, min: 0, max: MAX_CHUNKS });
  const ms = query.integer("ms", { fallback: 100, min: 0, max: LONGEST_PAUSE });
  query.finish();
  async function* chunks(): AsyncGenerator<string> {
    for (let n = 1; n <= count; n++) {
      // The pause of a client that has left keeps no process alive.
      if (n > 1) await setTimeout(ms, undefined, { ref: false });
      yield chunkOf(n);
    }
  }
  return stream({ "Content-Type": type, "Cache-Control": "no-store" }, chunks());
}

function stream(
  headers: Readonly<Record<string, string>>,
  chunks: Iterator<string> | AsyncIterator<string>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => void chunks.return?.(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: 200, statusText: reasonPhrase(200), headers });
}

const FIRST_NAMES = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Donald", "Katherine"];
const LAST_NAMES = ["Stone", "Rivers", "Field", "Woods", "Hill", "Brook", "Lake", "Marsh", "Dale"];
const ROLES = ["admin", "editor", "viewer"];

/** An array of that many rows, the same every time. */
function* listing(rows: number): Generator<string> {
  yield "[";
  for (let next = 0; next < rows; next += ROWS_PER_CHUNK) {
    const length = Math.min(ROWS_PER_CHUNK, rows - next);
    const lines = Array.from({ length }, (_, index) => JSON.stringify(row(next + index)));
    yield (next === 0 ? "\n" : ",\n") + lines.join(",\n");
  }
  yield "\n]\n";
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
