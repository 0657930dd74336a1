import type { IncomingMessage } from "node:http";

/** https://fetch.spec.whatwg.org/#null-body-status */
export const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

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
  if (isConstructible(status, statusText)) {
    return withProperties(new Response(body, { status, statusText, headers }), { url });
  }
  return withProperties(new Response(body, { headers }), {
    url,
    status,
    statusText,
    ok: status >= 200 && status <= 299,
  });
}

/** The constructor throws for a status above 599, and for control characters in the reason phrase. */
function isConstructible(status: number, statusText: string): boolean {
  return status >= 200 && status <= 599 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText);
}

/** Defines properties that the constructor does not take, also of clones. */
function withProperties(response: Response, properties: Partial<Response>): Response {
  const clone = (): Response => withProperties(Response.prototype.clone.call(response), properties);
  for (const [name, value] of Object.entries({ ...properties, clone })) {
    Object.defineProperty(response, name, { value });
  }
  return response;
}
