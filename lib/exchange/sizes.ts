import { type Exchange, type Sizes, sentHeaders } from "./exchange.ts";

const encoder = new TextEncoder();

/**
 * Measures an exchange in bytes, its headers as HTTP/1.1 text.
 *
 * @param received The number of bytes of the response body.
 */
export function measure(exchange: Omit<Exchange, "sizes">, received: number): Sizes {
  const { request, headers } = exchange;
  const requestLine = `${request.method} ${targetOf(request.url)} HTTP/1.1`;
  const statusLine = `HTTP/1.1 ${exchange.status} ${exchange.statusText}`;
  const encoded = encodedLength(exchange);
  return {
    request: {
      headers: lengthOfHead(requestLine, sentHeaders(request)),
      body: request.streamed?.size ?? lengthOf(request.body ?? ""),
    },
    response: {
      headers: lengthOfHead(statusLine, headers),
      body: received,
      ...(encoded === undefined ? {} : { encoded }),
    },
  };
}

/** The path and the query of a URL. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function lengthOfHead(line: string, headers: Iterable<readonly [string, string]>): number {
  let length = line.length + 4;
  for (const [name, value] of headers) length += name.length + lengthOf(value) + 4;
  return length;
}

function lengthOf(content: string | Uint8Array): number {
  return (typeof content === "string" ? encoder.encode(content) : content).byteLength;
}

/** The response to HEAD declares the length of a body that is not sent. */
function encodedLength({ request, headers }: Omit<Exchange, "sizes">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !headers.has("content-encoding")) return undefined;
  return request.method === "HEAD" || !/^\d+$/.test(length) ? undefined : Number(length);
}
