import { type HeaderList, type SentRequest, UnsendableRequestError } from "../exchange/mod.ts";
import { decodePercent } from "../fetch/mod.ts";
import {
  charsetOf,
  explainForbidden,
  FORBIDDEN_METHOD,
  findHeader,
  REMOVED_FROM_URL,
  type RenderedRequest,
  unsentMessage,
  unsentReason,
} from "../request/mod.ts";
import type { OutgoingRequest } from "./auth/mod.ts";
import { encodeBody, isStreamed, type StreamedBody } from "./body-out.ts";
import { excludeHeaders } from "./headers.ts";

/** A rendered request whose body has been read. */
export interface ResolvedRequest extends Omit<RenderedRequest, "body"> {
  readonly body: string | Uint8Array | StreamedBody | undefined;
  readonly uncompressed?: string | Uint8Array | undefined;
}

/** A body that fetch accepts and adds no Content-Type to; TypeScript before 5.7 has no `Uint8Array<ArrayBuffer>`. */
export type SendableBody = string | (Uint8Array & { readonly buffer: ArrayBuffer }) | StreamedBody;

/**
 * What is sent to one URL: a request has several after redirects and challenges. It is no `Request`, which can be
 * sent only once, has its header names in lower case, and on Bun changes its method.
 */
export interface Outgoing extends OutgoingRequest {
  readonly headers: HeaderList;
  readonly body: SendableBody | undefined;
  /** The credentials of the URL as a header, for the origin of that URL only. */
  readonly authorization?: string | undefined;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** The methods that fetch sends in upper case, and `PATCH`, which ky does. */
const NORMALIZED = /^(?:delete|get|head|options|patch|post|put)$/i;
const encoder = new TextEncoder();

/**
 * Converts a request to what fetch accepts.
 *
 * @param warnings Gets a warning about each header that is not sent.
 * @param sendsHost Whether the transport sends another Host than that of the URL.
 * @throws {UnsendableRequestError} fetch does not accept the method, the URL, a header or the body.
 */
export function toOutgoing(
  request: ResolvedRequest,
  warnings: string[],
  sendsHost: boolean,
): Outgoing {
  const method = checkMethod(request.method);
  const url = parseUrl(request.url);
  // A request text has this warning already, and those about its headers.
  const warn = (warning: string): void => {
    if (!warnings.includes(warning)) warnings.push(warning);
  };
  const authorization = takeCredentials(url);
  const body = toSendable(request);
  const length = (): number | undefined => (body === undefined ? 0 : lengthOf(body));
  const headers: HeaderList[number][] = [];
  for (const header of request.headers) {
    const [name, value] = header;
    checkValue(name, value);
    const reason = unsentReason(name, value, length, sendsHost ? undefined : url.host);
    if (reason === undefined) headers.push(header);
    else if (reason !== "") warn(unsentMessage(name, value, reason));
  }
  if (authorization && findHeader(request.headers, "authorization") === undefined) {
    headers.push(["Authorization", authorization]);
  }
  return { method, url, headers, body };
}

/**
 * The request as it was sent, with what was added to it.
 *
 * @param first What it was converted to, whose body is that of the request.
 * @param outgoing What was sent, after hooks, credentials and cookies.
 */
export function toSent(
  { name, title, verify, ...request }: ResolvedRequest,
  first: Outgoing,
  { method, url, headers, body }: Outgoing = first,
): SentRequest {
  const names = new Set(headers.map(([it]) => it.toLowerCase()));
  return {
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(verify === undefined ? {} : { verify }),
    method,
    url: url.href,
    writtenUrl: request.url,
    headers,
    added: [
      ...request.added.filter((it) => names.has(it.toLowerCase())),
      ...excludeHeaders(headers, request.headers).map(([it]) => it),
    ],
    ...(body === first.body ? bodyAsWritten(request) : { body: withoutStream(body) }),
  };
}

/** The body as it was written: what is sent may be its bytes. */
function bodyAsWritten({
  body,
  uncompressed,
}: Pick<ResolvedRequest, "body" | "uncompressed">): Pick<
  SentRequest,
  "body" | "streamed" | "uncompressed"
> {
  const before = uncompressed === undefined ? {} : { uncompressed };
  if (!isStreamed(body)) return { body, ...before };
  const { size, path } = body;
  const streamed = {
    ...(size === undefined ? {} : { size }),
    ...(path === undefined ? {} : { path }),
  };
  return { body: undefined, streamed, ...before };
}

/** A body as an exchange keeps it: a streamed one is not kept. */
export function withoutStream(body: ResolvedRequest["body"]): SentRequest["body"] {
  return isStreamed(body) ? undefined : body;
}

/** Sets a header, in place of those of the same name. */
export function withHeader<R extends OutgoingRequest>(request: R, name: string, value: string): R {
  return {
    ...request,
    headers: [...excludeHeaders(request.headers, [[name, value]]), [name, value]],
  };
}

/** Sets headers, each in place of those of the same name. */
export function withHeaders<R extends OutgoingRequest>(request: R, headers: HeaderList = []): R {
  return headers.reduce((all, [name, value]) => withHeader(all, name, value), request);
}

/** Removes user info from a URL, which fetch refuses, and returns the equivalent `Authorization` header. */
export function takeCredentials(url: URL): string | undefined {
  if (!url.username && !url.password) return undefined;
  const pair = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = "";
  url.password = "";
  return `Basic ${btoa(toByteString(pair))}`;
}

/** URLs as they were written; one that was derived from another has no such text. */
const writtenTexts = new WeakMap<URL, string>();

/** The URL of a request with its path as it was written: `..` and `.` stay, and only what HTTP does not allow is encoded. */
export function writtenUrl({ url }: Outgoing): string {
  const text = writtenTexts.get(url) ?? url.href;
  const [, path = "", query = ""] = /^[^/?#]*\/\/[^/?#]*([^?#]*)(\?[^#]*)?/.exec(text) ?? [];
  return url.origin + `${path || "/"}${query}`.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** Says that a path is not sent as it was written: the URL Standard removes `..` and `.`, and turns backslashes. */
export function pathNote(outgoing: Outgoing): string | undefined {
  const pathOf = (url: string): string =>
    url.slice(outgoing.url.origin.length).replace(/[?#].*/s, "");
  const written = pathOf(writtenUrl(outgoing));
  if (!/\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(written)) return undefined;
  return `The path "${written}" was sent as "${pathOf(outgoing.url.href)}", as browsers do; connection.pathAsIs (--path-as-is of curl) sends it as written`;
}

function checkMethod(written: string): string {
  if (!TOKEN.test(written)) {
    throw new UnsendableRequestError(`Cannot send the method "${written}": it is not a token`);
  }
  if (FORBIDDEN_METHOD.test(written)) throw new UnsendableRequestError(explainForbidden(written));
  return NORMALIZED.test(written) ? written.toUpperCase() : written;
}

/** Node and Deno refuse such a value with different messages; Bun sends it, and servers refuse it. */
function checkValue(name: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const control = /[\x00-\x08\x0a-\x1f\x7f]/.exec(value)?.[0];
  if (control === undefined) return;
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw new UnsendableRequestError(
    `Cannot send the header "${name}": its value contains the control character U+${code}`,
  );
}

function parseUrl(written: string): URL {
  let url: URL;
  const text = written.trimStart().replace(REMOVED_FROM_URL, encodeURIComponent);
  try {
    url = new URL(text);
  } catch (cause) {
    const wanted = written.includes("{{")
      ? "only request texts have placeholders, as in client.send(`GET {{base}}/users`)"
      : "use an absolute URL such as https://example.com/users";
    const state = written === "" ? "it is empty" : "it is not valid";
    throw new UnsendableRequestError(`Cannot send to the URL "${written}": ${state}; ${wanted}`, {
      cause,
    });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const scheme = url.protocol.slice(0, -1);
    throw new UnsendableRequestError(
      `Cannot send to the URL "${written}": the scheme "${scheme}" is not supported; use http or https`,
    );
  }
  writtenTexts.set(url, text);
  return url;
}

function toSendable(request: ResolvedRequest): SendableBody | undefined {
  const { body, headers, exact } = request;
  if (isStreamed(body)) return body;
  if (body === undefined || body.length === 0) return undefined;
  if (typeof body === "string") {
    const type = findHeader(headers, "content-type");
    const isUtf8 = exact === true || charsetOf(type) === undefined;
    // fetch adds a Content-Type to a string, but not to bytes.
    return type !== undefined && isUtf8 ? body : encodeBody(body, request);
  }
  // fetch accepts no view of shared memory.
  return body.buffer instanceof ArrayBuffer
    ? (body as Uint8Array<ArrayBuffer>)
    : new Uint8Array(body);
}

/** The length of a body in bytes, if it is known. */
export function lengthOf(body: SendableBody): number | undefined {
  if (typeof body === "string") return encoder.encode(body).byteLength;
  return isStreamed(body) ? body.size : body.byteLength;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Encodes text as UTF-8 in a byte string, one character per byte, as fetch takes header values. */
export function toByteString(text: string): string {
  if (ASCII.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
}
