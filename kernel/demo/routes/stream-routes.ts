import type { Context } from "hono";
import type { Route } from "../http/mod.ts";
import { readQuery, reasonPhrase } from "../http/mod.ts";

const MOST_ITEMS = 10_000;
const LONGEST_PAUSE = 10_000;

const WORDS = "What begins as a word becomes a sentence, piece by piece, while it is being read.";

/** Answers that come bit by bit. */
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

function stream(
  context: Context,
  type: string,
  usual: number,
  pieceOf: (n: number) => string,
): Response {
  const query = readQuery(context);
  const count = query.wholeNumber("count", { fallback: usual, least: 0, most: MOST_ITEMS });
  const ms = query.wholeNumber("ms", { fallback: 100, least: 0, most: LONGEST_PAUSE });
  query.finish();
  const encoder = new TextEncoder();
  let n = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        new Promise((resolve) => {
          if (n >= count) {
            controller.close();
            resolve();
            return;
          }
          timer = setTimeout(
            () => {
              n += 1;
              controller.enqueue(encoder.encode(pieceOf(n)));
              resolve();
            },
            n === 0 ? 0 : ms,
          );
        }),
      // The one who asked has gone.
      cancel: () => clearTimeout(timer),
    },
    { highWaterMark: 0 },
  );
  const headers = { "Content-Type": type, "Cache-Control": "no-store" };
  return new Response(body, { status: 200, statusText: reasonPhrase(200), headers });
}
