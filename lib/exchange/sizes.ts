import type { Exchange, Sizes } from "./exchange.ts";

const encoder = new TextEncoder();

/**
 * Measures an exchange in bytes, of which so many were received as its body; its headers as their text
 * in HTTP/1.1.
 */
export function measure(exchange: Omit<Exchange, "sizes">, received: number): Sizes {
  const { request, headers } = exchange;
  const requestLine = `${request.method} ${targetOf(request.url)} HTTP/1.1`;
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

/** Path and query of a URL as the parser has written it, which has a slash behind its host. */
function targetOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("#", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

function lengthOfHead(line: string, headers: Iterable<readonly [string, string]>): number {
  let length = line.length + 4;
  for (const [name, value] of headers) length += name.length + lengthOf(value) + 4;
  return length;
}

function lengthOf(content: string | Uint8Array): number {
  if (typeof content !== "string") return content.byteLength;
  return BEYOND_ASCII.test(content) ? encoder.encode(content).byteLength : content.length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** With HEAD the length is that of a body which did not come. */
function encodedLength({ request, headers }: Omit<Exchange, "sizes">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !headers.has("content-encoding")) return undefined;
  return request.method === "HEAD" || !/^\d+$/.test(length) ? undefined : Number(length);
}
