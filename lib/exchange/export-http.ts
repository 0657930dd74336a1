import { type WrittenRequest, writeCurl } from "../curl/mod.ts";
import { parseRequests, type RenderedRequest, renderRequest } from "../request/mod.ts";

/**
 * Writes a request as request text. A request that request text cannot express exactly (a line `###` in
 * the body, CRLF, bytes) is written as a curl command, which a cell can run as well.
 *
 * @param plain The request.
 * @param escaped The same request with literal double braces escaped.
 */
export function writeHttp(plain: WrittenRequest, escaped: WrittenRequest): string {
  // A file of requests may be saved with either line break: the text must not depend on it.
  const text = writeText(escaped)?.replaceAll("\r\n", "\n");
  if (text !== undefined && isEquivalent(text, plain)) return text;
  return writeCurl(escaped);
}

function writeText({ method, url, headers, body }: WrittenRequest): string | undefined {
  if (body instanceof Uint8Array) return undefined;
  const lines = [
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`.trimEnd()),
  ];
  return body === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${body}`;
}

/** Whether request text is exact is found by parsing and rendering it. */
function isEquivalent(text: string, { method, url, headers, body }: WrittenRequest): boolean {
  let read: RenderedRequest;
  try {
    const [draft, ...more] = parseRequests(text);
    if (draft === undefined || more.length > 0 || draft.saveTo !== undefined) return false;
    read = renderRequest(draft, new Map(), { missing: "keep" });
  } catch {
    // It is not valid request text.
    return false;
  }
  const isSameHead =
    read.method === method &&
    read.url === url &&
    JSON.stringify(read.headers) ===
      JSON.stringify(headers.map(([name, value]) => [name, value.trim()]));
  return isSameHead && read.body === body && read.added.length === 0;
}
