import { isStreamed, type StreamedBody } from "../request/bodies/mod.ts";
import type { Hop, PreparedRequest, SendableBody } from "../request/mod.ts";
import { fromByteString, isChangedMethod } from "../request/mod.ts";
import { outgoingHeaders } from "./send-by-fetch.ts";

/** The method of a `Request` if the runtime would change the real one. */
const STAND_IN = "POST";

/**
 * The request for ky, without its body: a `Request` made from another one would send that body as a
 * stream. It has the headers, since ky drops a header with the value "undefined" from its options.
 */
export function toRequest({ sent: { method, headers }, url }: PreparedRequest): Request {
  return new Request(url, {
    method: isChangedMethod(method) ? STAND_IN : method,
    headers: outgoingHeaders(headers),
  });
}

/** The body for ky and its hooks. A stream is left out: ky clones requests, which would buffer all of it. */
export function toBody({ body }: PreparedRequest): Exclude<SendableBody, StreamedBody> | undefined {
  return isStreamed(body) ? undefined : body;
}

/**
 * Converts a request of ky to a hop. What no hook has changed is taken from the prepared request, since a
 * `Request` loses the case of header names, text beyond ASCII in them, and on Bun the method.
 *
 * @param original The request that ky was called with.
 */
export async function toHop(
  request: Request,
  original: Request,
  prepared: PreparedRequest,
): Promise<Hop> {
  const { sent, url } = prepared;
  const method =
    request.method === STAND_IN && isChangedMethod(sent.method) ? sent.method : request.method;
  return {
    method,
    url: request.url === original.url ? url : new URL(request.url),
    headers: headersOf(request, original, sent.headers),
    body: method === "GET" || method === "HEAD" ? undefined : await bodyOf(request, prepared.body),
  };
}

function headersOf(request: Request, original: Request, written: Hop["headers"]): Hop["headers"] {
  const kept = written.filter(
    ([name]) =>
      request.headers.get(name) === original.headers.get(name) && original.headers.has(name),
  );
  const known = new Set(kept.map(([name]) => name.toLowerCase()));
  const changed = [...request.headers].filter(([name]) => !known.has(name));
  if (kept.length === written.length && changed.length === 0) return written;
  const spelled = (lower: string): string =>
    written.find(([name]) => name.toLowerCase() === lower)?.[0] ?? lower;
  return [
    ...kept,
    ...changed.map(([name, value]) => [spelled(name), fromByteString(value)] as const),
  ];
}

async function bodyOf(request: Request, prepared: Hop["body"]): Promise<Hop["body"]> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength === 0) return isStreamed(prepared) ? prepared : undefined;
  if (prepared === undefined || isStreamed(prepared)) return bytes;
  const before = typeof prepared === "string" ? new TextEncoder().encode(prepared) : prepared;
  return isEqual(bytes, before) ? prepared : bytes;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.byteLength !== other.byteLength) return false;
  for (let index = 0; index < one.byteLength; index++) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}
