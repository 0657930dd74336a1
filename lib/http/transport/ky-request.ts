import { isStreamed, type StreamedBody } from "../request/bodies/mod.ts";
import {
  excludeHeaders,
  fromByteString,
  type Hop,
  isBodiless,
  isChangedMethod,
  type PreparedRequest,
  type SendableBody,
} from "../request/mod.ts";
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

/**
 * The body for ky and its hooks. Left out is what goes beside the `Request`: a stream, since ky clones requests,
 * which would buffer all of it, and a body with GET and HEAD, which a `Request` refuses.
 */
export function toBody(prepared: PreparedRequest): Exclude<SendableBody, StreamedBody> | undefined {
  const { body } = prepared;
  return isStreamed(body) || isBodiless(prepared.sent.method) ? undefined : body;
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
    body: await bodyOf(request, prepared),
  };
}

function headersOf(request: Request, original: Request, written: Hop["headers"]): Hop["headers"] {
  const kept = written.filter(
    ([name]) =>
      request.headers.get(name) === original.headers.get(name) && original.headers.has(name),
  );
  const changed = excludeHeaders([...request.headers], kept);
  if (kept.length === written.length && changed.length === 0) return written;
  const spelled = (lower: string): string =>
    written.find(([name]) => name.toLowerCase() === lower)?.[0] ?? lower;
  return [
    ...kept,
    ...changed.map(([name, value]) => [spelled(name), fromByteString(value)] as const),
  ];
}

async function bodyOf(
  request: Request,
  { body: prepared, sent }: PreparedRequest,
): Promise<Hop["body"]> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength === 0) {
    // A hook that makes another request a GET does not ask for its stream.
    if (isBodiless(sent.method)) return prepared;
    return isStreamed(prepared) && !isBodiless(request.method) ? prepared : undefined;
  }
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
