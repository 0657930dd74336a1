import type { IncomingMessage } from "node:http";

/** A response with these has no body (RFC 9110, 6.4.1), whatever its headers say. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Makes a `Response` of an answer of `node:http`. */
export function toResponse(
  { statusCode: status = 0, statusMessage: statusText = "", rawHeaders }: IncomingMessage,
  { href }: URL,
  body: ReadableStream<Uint8Array> | null,
): Response {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  const url = href.replace(/#.*/s, "");
  if (isTaken(status, statusText)) {
    return withProperties(new Response(body, { status, statusText, headers }), { url });
  }
  return withProperties(new Response(body, { headers }), {
    url,
    status,
    statusText,
    ok: status >= 200 && status <= 299,
  });
}

/** The constructor refuses 600 to 999, and control characters in the reason phrase. */
function isTaken(status: number, statusText: string): boolean {
  return status >= 200 && status <= 599 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText);
}

/** Defines what the constructor has no place for, in each clone as well. */
function withProperties(response: Response, properties: Partial<Response>): Response {
  const clone = (): Response => withProperties(Response.prototype.clone.call(response), properties);
  for (const [name, value] of Object.entries({ ...properties, clone })) {
    Object.defineProperty(response, name, { value });
  }
  return response;
}
