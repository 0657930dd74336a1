import { STATUS_CODES } from "node:http";

/** Bytes that the constructor of `Response` accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

type Headers = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/** https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY = new Set([204, 205, 304]);

/** The reason phrase of a status, or `Unassigned`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "Unassigned";
}

/**
 * Creates a response with a reason phrase and a length. Node sends an empty phrase for a plain
 * `Response`, and a HEAD response without a length does not describe that of GET.
 */
export function respond(status: number, headers: Headers, body: string | Bytes = ""): Response {
  const init = { status, statusText: reasonPhrase(status) };
  if (NULL_BODY.has(status)) return new Response(null, { ...init, headers });
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const length = { "Content-Length": String(bytes.length) };
  return new Response(bytes, { ...init, headers: { ...headers, ...length } });
}

export function respondJson(status: number, value: unknown, headers: Headers = {}): Response {
  return respond(status, { "Content-Type": "application/json", ...headers }, JSON.stringify(value));
}
