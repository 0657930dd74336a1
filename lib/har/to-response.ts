import { fromBase64, markReplayed, NotRecordedError, parseMediaType } from "../exchange/mod.ts";
import { toByteString } from "../http/mod.ts";
import type { RecordedEntry, RecordedResponse } from "./read-har.ts";

/** https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

const AGAIN = "Record it again";

/**
 * Creates the response of an entry.
 *
 * @param name What messages call the recording.
 * @throws {NotRecordedError} The recording has no response, or not its body.
 */
export function toResponse(entry: RecordedEntry, name: string): Response {
  const { method, response } = entry;
  const { status, statusText, content, error } = response;
  if (status === 0) {
    const why = error === undefined ? "" : ` (${error})`;
    throw new NotRecordedError(`it got none when "${name}" was recorded${why}`, AGAIN);
  }
  const isEmpty = method === "HEAD" || NULL_BODY.has(status);
  const isRedirect = status >= 300 && status <= 399;
  if (content.text === undefined && content.size > 0 && !isEmpty && !isRedirect) {
    throw new NotRecordedError(`"${name}" has it without its body`, AGAIN);
  }
  const headers = toHeaders(response);
  const body = isEmpty ? null : toBody(response);
  return markReplayed(
    createResponse(body, { status, statusText: toByteString(statusText), headers }),
  );
}

function toBody({ content: { text = "", isBase64 } }: RecordedResponse): BodyInit | null {
  return isBase64 ? fromBase64(text) : new TextEncoder().encode(text);
}

function toHeaders({ headers: list, content: { text = "", isBase64 } }: RecordedResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of list) {
    try {
      headers.append(name, toByteString(value));
    } catch {
      // A browser may have saved a header that `Headers` does not accept: the others are replayed.
    }
  }
  const type = headers.get("content-type");
  const { charset = "utf-8" } = parseMediaType(type);
  // Text was decoded when it was recorded, and is UTF-8 now.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
  if (type !== null && !isBase64 && !/^utf-?8$/i.test(charset) && /[^\x00-\x7f]/.test(text)) {
    headers.set("content-type", type.replace(/(;\s*charset\s*=\s*)("[^"]*"|[^\s;]+)/i, "$1utf-8"));
  }
  return headers;
}

/** The constructor takes no status below 200 or above 599, and few characters in the reason phrase. */
function createResponse(
  body: BodyInit | null,
  { status, statusText, headers }: Required<Omit<ResponseInit, "headers">> & { headers: Headers },
): Response {
  const isUsual = status >= 200 && status <= 599 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText);
  if (isUsual) return new Response(body, { status, statusText, headers });
  return withProperties(new Response(body, { headers }), { status, statusText, ok: false });
}

/** Hooks of ky are given clones. */
function withProperties(response: Response, properties: Partial<Response>): Response {
  const clone = (): Response => withProperties(Response.prototype.clone.call(response), properties);
  for (const [name, value] of Object.entries({ ...properties, clone })) {
    Object.defineProperty(response, name, { value });
  }
  return response;
}
