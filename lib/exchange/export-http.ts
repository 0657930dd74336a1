import { type WrittenRequest, writeCurl } from "../curl/mod.ts";
import { parseRequests, type RenderedRequest, renderRequest } from "../request/mod.ts";

/**
 * Writes a request as request text. What request text cannot say to the letter (a line `###` in a
 * body, bytes) is written as a curl command, which a cell runs as well.
 *
 * @param plain The request.
 * @param escaped The same with braces that are no placeholders escaped.
 */
export function writeHttp(plain: WrittenRequest, escaped: WrittenRequest): string {
  const text = writeText(escaped);
  if (text !== undefined && saysTheSame(text, plain)) return text;
  return writeCurl(plain);
}

function writeText({ method, url, headers, body }: WrittenRequest): string | undefined {
  if (body instanceof Uint8Array) return undefined;
  const lines = [
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`.trimEnd()),
  ];
  return body === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${body}`;
}

/** Request text is written for people: whether it says just this is found out by reading it. */
function saysTheSame(text: string, { method, url, headers, body }: WrittenRequest): boolean {
  let read: RenderedRequest;
  try {
    const [draft, ...more] = parseRequests(text);
    if (draft === undefined || more.length > 0 || draft.saveTo !== undefined) return false;
    read = renderRequest(draft, new Map(), { missing: "keep" });
  } catch {
    // It is no request text at all.
    return false;
  }
  const isSameHead =
    read.method === method &&
    read.url === url &&
    JSON.stringify(read.headers) ===
      JSON.stringify(headers.map(([name, value]) => [name, value.trim()]));
  return isSameHead && read.body === body && read.added.length === 0;
}
