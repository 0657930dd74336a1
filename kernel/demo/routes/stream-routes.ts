import { setTimeout } from "node:timers/promises";
import type { Context } from "hono";
import { type Route, readQuery, reasonPhrase } from "../http/mod.ts";

const MAX_CHUNKS = 10_000;
const LONGEST_PAUSE = 10_000;

const WORDS = "What begins as a word becomes a sentence, piece by piece, while it is being read.";

/** Answers that arrive in chunks. */
export const streamRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/events",
    summary: `Sends count (5) server-sent events, one every ms milliseconds (100; at most ${LONGEST_PAUSE})`,
    example: "/events?count=3&ms=50",
    handle: (context) =>
      stream(context, "text/event-stream", 5, (n) => {
        return `event: tick\nid: ${n}\ndata: ${JSON.stringify({ n, left: "!".repeat(n) })}\n\n`;
      }),
  },
  {
    method: "GET",
    path: "/ndjson",
    summary: "Sends count (5) lines of JSON Lines, one every ms milliseconds (100)",
    example: "/ndjson?count=3&ms=50",
    handle: (context) =>
      stream(context, "application/x-ndjson", 5, (n) => {
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
      return stream(context, "text/plain; charset=utf-8", words.length, (n) => {
        return words[(n - 1) % words.length] ?? "";
      });
    },
  },
];

/** @param chunkOf Returns the chunk with a number, from 1. */
function stream(
  context: Context,
  type: string,
  defaultCount: number,
  chunkOf: (n: number) => string,
): Response {
  const query = readQuery(context);
  const count = query.integer("count", { fallback: defaultCount, min: 0, max: MAX_CHUNKS });
  const ms = query.integer("ms", { fallback: 100, min: 0, max: LONGEST_PAUSE });
  query.finish();
  const encoder = new TextEncoder();
  const ending = new AbortController();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent === count) return controller.close();
        if (sent > 0) await setTimeout(ms, undefined, { signal: ending.signal });
        sent += 1;
        controller.enqueue(encoder.encode(chunkOf(sent)));
      },
      cancel: () => ending.abort(),
    },
    { highWaterMark: 0 },
  );
  const headers = { "Content-Type": type, "Cache-Control": "no-store" };
  return new Response(body, { status: 200, statusText: reasonPhrase(200), headers });
}
