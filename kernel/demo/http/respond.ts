import { STATUS_CODES } from "node:http";

/** Bytes as `Response` takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

type Headers = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/** Statuses whose answers have no body, by the Fetch standard. */
const BODILESS = new Set([204, 205, 304]);

/** The reason phrase of a status; those that nobody has registered are unassigned. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "Unassigned";
}

/**
 * Makes an answer with a reason phrase and a length. Node would send an empty phrase for a plain
 * `Response`, and without a length HEAD could not say what GET would bring.
 */
export function respond(status: number, headers: Headers, body: string | Bytes = ""): Response {
  const init = { status, statusText: reasonPhrase(status) };
  if (BODILESS.has(status)) return new Response(null, { ...init, headers });
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const length = { "Content-Length": String(bytes.length) };
  return new Response(bytes, { ...init, headers: { ...headers, ...length } });
}

/** Makes a JSON answer. */
export function respondJson(status: number, value: unknown, headers: Headers = {}): Response {
  return respond(status, { "Content-Type": "application/json", ...headers }, JSON.stringify(value));
}
