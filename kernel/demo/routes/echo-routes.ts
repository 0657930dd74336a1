import { Buffer } from "node:buffer";
import type { Context } from "hono";
import { type Bytes, type Route, readBody, respond } from "../http/mod.ts";

const SUMMARY =
  "Shows the request as received, with any method: url, query, headers (credentials too), body";

/** Returns the request to its sender, with its credentials: they are what a sender wants to check. */
export const echoRoutes: readonly Route[] = [
  { method: "ANY", path: "/echo", summary: SUMMARY, example: "/echo?name=Ada", handle: echo },
  { method: "ANY", path: "/echo/*", summary: "The same, for any path below /echo", handle: echo },
];

async function echo(context: Context): Promise<Response> {
  const { method, raw, url } = context.req;
  const { pathname, searchParams } = new URL(url);
  const bytes = await readBody(context);
  const text = decode(bytes);
  const head = JSON.stringify({
    method,
    url,
    path: pathname,
    query: collect(searchParams),
    // Connection is about one connection (RFC 9110, 7.6.1), and not every runtime sends it.
    headers: collect([...raw.headers].filter(([name]) => name !== "connection")),
    size: bytes.length,
    body: text ?? null,
    ...(text === undefined && { base64: Buffer.from(bytes).toString("base64") }),
  });
  // The text itself: parsing it would alter long numbers.
  const answer = text && isJson(text) ? `${head.slice(0, -1)},"json":${text}}` : head;
  return respond(200, { "Content-Type": "application/json" }, answer);
}

/** Names with their values; a repeated name has a list. */
function collect(entries: Iterable<[string, string]>): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? "") : list]),
  );
}

function decode(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not text: the answer has it as base64.
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not JSON: the answer has it as text alone.
    return false;
  }
}
