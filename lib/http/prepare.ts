import { type HeaderList, type SentRequest, UnsendableRequestError } from "../exchange/mod.ts";
import type { VerifyRule } from "../json/mod.ts";
import { findHeader } from "../request/mod.ts";
import { isStreamed, type StreamedBody } from "./streamed-body.ts";

/** A rendered request whose body has been read. */
export interface ResolvedRequest {
  readonly name?: string;
  readonly title?: string;
  readonly verify?: VerifyRule;
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly added: readonly string[];
  readonly body: string | Uint8Array | StreamedBody | undefined;
  readonly uncompressed?: string | Uint8Array | undefined;
  readonly warnings: readonly string[];
  readonly notes?: readonly string[];
}

/** A body that fetch accepts and adds no Content-Type to. */
export type SendableBody = string | Uint8Array<ArrayBuffer> | StreamedBody;

/** A request that fetch accepts. */
export interface PreparedRequest {
  readonly sent: SentRequest;
  readonly url: URL;
  readonly body: SendableBody | undefined;
  /** Mutable: sending adds to it. */
  readonly warnings: string[];
  readonly notes: string[];
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN = /^(?:CONNECT|TRACE|TRACK)$/i;
const encoder = new TextEncoder();

/**
 * Prepares a request for fetch.
 *
 * @throws {UnsendableRequestError} fetch does not accept the method, the URL, a header or the body.
 */
export function prepareRequest(request: ResolvedRequest): PreparedRequest {
  const method = checkMethod(request.method);
  const url = parseUrl(request.url);
  const warnings = [...request.warnings];
  if (/[\t\n\r]/.test(request.url)) {
    warnings.push("The URL contains a tab or a line break, which the URL parser removes");
  }
  const authorization = takeCredentials(url);
  const body = toSendable(request);
  const context = { host: () => url.host, bodyLength: () => lengthOf(body) };
  const headers: (readonly [string, string])[] = [];
  const written = new Set<string>();
  for (const [name, value] of request.headers) {
    written.add(name.toLowerCase());
    checkValue(name, value);
    const reason = reasonToOmit(name, value, context);
    if (reason === undefined) headers.push([name, value]);
    else if (reason) warnings.push(`The header "${name}: ${value}" was not sent: ${reason}`);
  }
  const added = [...request.added];
  if (authorization && !written.has("authorization")) {
    headers.push(["Authorization", authorization]);
    added.push("Authorization");
  }
  const sent: SentRequest = {
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(request.title === undefined ? {} : { title: request.title }),
    ...(request.verify === undefined ? {} : { verify: request.verify }),
    method,
    url: url.href,
    writtenUrl: request.url,
    headers,
    added,
    ...(isStreamed(request.body)
      ? { body: undefined, streamed: describeStream(request.body) }
      : { body: request.body }),
    ...(request.uncompressed === undefined ? {} : { uncompressed: request.uncompressed }),
  };
  return { sent, url, body, warnings, notes: [...(request.notes ?? [])] };
}

function lengthOf(body: SendableBody | undefined): number {
  if (typeof body === "string") return encoder.encode(body).byteLength;
  return isStreamed(body) ? (body.size ?? -1) : (body?.byteLength ?? 0);
}

/** Removes user info from a URL, which fetch refuses, and returns the equivalent `Authorization` header. */
export function takeCredentials(url: URL): string | undefined {
  if (!url.username && !url.password) return undefined;
  const pair = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = "";
  url.password = "";
  return `Basic ${btoa(toByteString(pair))}`;
}

function checkMethod(written: string): string {
  if (!TOKEN.test(written)) {
    throw new UnsendableRequestError(`Cannot send the method "${written}": it is not a token`);
  }
  if (FORBIDDEN.test(written)) {
    throw new UnsendableRequestError(
      `Cannot send the method "${written}": fetch forbids CONNECT, TRACE and TRACK`,
    );
  }
  return written;
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
  try {
    url = new URL(written);
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
  return url;
}

function toSendable({ body, headers }: ResolvedRequest): SendableBody | undefined {
  if (isStreamed(body)) return body;
  if (body === undefined || body.length === 0) return undefined;
  if (typeof body === "string") {
    // fetch adds a Content-Type to a string, but not to bytes.
    return findHeader(headers, "content-type") === undefined ? encoder.encode(body) : body;
  }
  // fetch accepts no view of shared memory.
  return body.buffer instanceof ArrayBuffer
    ? (body as Uint8Array<ArrayBuffer>)
    : new Uint8Array(body);
}

function describeStream({ size, path }: StreamedBody): NonNullable<SentRequest["streamed"]> {
  return { ...(size === undefined ? {} : { size }), ...(path === undefined ? {} : { path }) };
}

/** Decodes percent-encoded text; malformed text is returned as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A URIError: an escape is malformed.
    return text;
  }
}

/** Returns why a header is not sent; `undefined` if nothing is lost without it. */
type HeaderRule = (value: string, context: HeaderContext) => string | undefined;

interface HeaderContext {
  readonly host: () => string;
  readonly bodyLength: () => number;
}

const MANAGED = "the connection is managed by the runtime";

/**
 * Headers that fetch controls. Node 20 refuses most of them with an error, Deno 2.9 and Bun 1.4 drop or
 * overwrite some and send others. They are omitted everywhere, so that all runtimes send the same request.
 */
const RULES: ReadonlyMap<string, HeaderRule> = new Map<string, HeaderRule>([
  [
    "host",
    (value, { host }) =>
      value.toLowerCase() === host()
        ? undefined
        : `fetch always sends the host of the URL, "${host()}"`,
  ],
  [
    "content-length",
    (value, { bodyLength }) =>
      value === String(bodyLength()) ? undefined : `the body has ${bodyLength()} bytes`,
  ],
  ["connection", (value) => (value.toLowerCase() === "keep-alive" ? undefined : MANAGED)],
  ["keep-alive", () => MANAGED],
  ["transfer-encoding", () => MANAGED],
  ["upgrade", () => MANAGED],
  ["expect", () => MANAGED],
]);

/**
 * Decides whether a header is omitted.
 *
 * @returns `undefined` if it is sent; otherwise the reason, which is empty if nothing is lost.
 */
function reasonToOmit(name: string, value: string, context: HeaderContext): string | undefined {
  const rule = RULES.get(name.toLowerCase());
  return rule && (rule(value, context) ?? "");
}

const decoder = new TextDecoder();
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Encodes text as UTF-8 in a byte string, one character per byte, as fetch takes header values. */
export function toByteString(text: string): string {
  if (ASCII.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Decodes a byte string; header values beyond ASCII are UTF-8 in practice. */
export function fromByteString(value: string): string {
  if (ASCII.test(value)) return value;
  return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
}
