import type { Exchange, Sizes } from "./exchange.ts";

const encoder = new TextEncoder();

/**
 * Measures an exchange in bytes, of which so many were received as its body; its headers as their text
 * in HTTP/1.1.
 */
export function measure(exchange: Omit<Exchange, "sizes">, received: number): Sizes {
  const { request, headers } = exchange;
  const { pathname, search } = new URL(request.url);
  const requestLine = `${request.method} ${pathname}${search} HTTP/1.1`;
  const statusLine = `HTTP/1.1 ${exchange.status} ${exchange.statusText}`;
  const encoded = encodedLength(exchange);
  return {
    request: {
      headers: lengthOfHead(requestLine, request.headers),
      body: request.streamed?.size ?? lengthOf(request.body ?? ""),
    },
    response: {
      headers: lengthOfHead(statusLine, headers),
      body: received,
      ...(encoded === undefined ? {} : { encoded }),
    },
  };
}

function lengthOfHead(line: string, headers: Iterable<readonly [string, string]>): number {
  let length = line.length + 4;
  for (const [name, value] of headers) length += name.length + lengthOf(value) + 4;
  return length;
}

function lengthOf(content: string | Uint8Array): number {
  return typeof content === "string" ? encoder.encode(content).byteLength : content.byteLength;
}

/** With HEAD the length is that of a body which did not come. */
function encodedLength({ request, headers }: Omit<Exchange, "sizes">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !headers.has("content-encoding")) return undefined;
  return request.method === "HEAD" || !/^\d+$/.test(length) ? undefined : Number(length);
}
