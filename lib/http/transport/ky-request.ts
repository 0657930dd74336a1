import { isStreamed, type StreamedBody } from "../request/bodies/mod.ts";
import type { Hop, PreparedRequest, SendableBody } from "../request/mod.ts";
import { isChangedMethod } from "../request/mod.ts";
import { outgoingHeaders } from "./fetch-init.ts";

/** What stands for a method that the runtime's `Request` would change. */
const STAND_IN = "POST";

/**
 * The request that ky gets, its body aside: a `Request` that is made of another one sends the body of
 * that through a stream. The headers are in it, since ky drops those whose value is `undefined`, the word.
 */
export function toRequest({ sent: { method, headers }, url }: PreparedRequest): Request {
  return new Request(url, {
    method: isChangedMethod(method) ? STAND_IN : method,
    headers: outgoingHeaders(headers),
  });
}

/**
 * The body that ky gets, and its hooks. A streamed one is not among them: ky copies each request, and
 * of a stream that is copied all is kept in memory.
 */
export function toBody({ body }: PreparedRequest): Exclude<SendableBody, StreamedBody> | undefined {
  return isStreamed(body) ? undefined : body;
}

/**
 * What ky gives to its fetch, as a hop. Where no hook has changed it, all is as it was written, which a
 * `Request` forgets: the names of the headers, text beyond ASCII in them, and on Bun the method.
 *
 * @param made What ky was given.
 */
export async function toHop(
  request: Request,
  made: Request,
  prepared: PreparedRequest,
): Promise<Hop> {
  const { sent, url } = prepared;
  const method =
    request.method === STAND_IN && isChangedMethod(sent.method) ? sent.method : request.method;
  return {
    method,
    url: request.url === made.url ? url : new URL(request.url),
    headers: headersOf(request, made, sent.headers),
    body: method === "GET" || method === "HEAD" ? undefined : await bodyOf(request, prepared.body),
  };
}

function headersOf(request: Request, made: Request, written: Hop["headers"]): Hop["headers"] {
  const kept = written.filter(
    ([name]) => request.headers.get(name) === made.headers.get(name) && made.headers.has(name),
  );
  const known = new Set(kept.map(([name]) => name.toLowerCase()));
  const changed = [...request.headers].filter(([name]) => !known.has(name));
  if (kept.length === written.length && changed.length === 0) return written;
  const spelled = (lower: string): string =>
    written.find(([name]) => name.toLowerCase() === lower)?.[0] ?? lower;
  return [...kept, ...changed.map(([name, value]) => [spelled(name), fromBytes(value)] as const)];
}

/** A header holds one byte a character; beyond ASCII it is UTF-8 in practice. */
function fromBytes(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
  if (/^[\x00-\x7f]*$/.test(value)) return value;
  return new TextDecoder().decode(Uint8Array.from(value, (c) => c.charCodeAt(0)));
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
