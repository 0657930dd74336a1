import type { HeaderList, SentRequest } from "../../exchange/mod.ts";
import { UnsendableRequestError } from "../../exchange/mod.ts";
import { isStreamed, type StreamedBody } from "./bodies/mod.ts";
import { reasonToOmit } from "./header-rules.ts";

/** A request with all values in place and its body read. */
export interface ResolvedRequest {
  readonly name?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly added: readonly string[];
  readonly body: string | Uint8Array | StreamedBody | undefined;
  readonly warnings: readonly string[];
}

/** A body that fetch will take, and add no Content-Type to. */
export type SendableBody = string | Uint8Array<ArrayBuffer> | StreamedBody;

/** A request that fetch will take. */
export interface PreparedRequest {
  readonly sent: SentRequest;
  readonly url: URL;
  readonly body: SendableBody | undefined;
  /** A list of its own: what is found out on the way is added. */
  readonly warnings: string[];
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN = /^(?:CONNECT|TRACE|TRACK)$/i;
const encoder = new TextEncoder();

/**
 * Makes a request fit for fetch, or says why it cannot be sent.
 *
 * @throws {UnsendableRequestError} The request cannot be sent, whatever the server.
 */
export function prepareRequest(request: ResolvedRequest): PreparedRequest {
  const method = checkMethod(request.method);
  const url = parseUrl(request.url);
  const warnings = [...request.warnings];
  if (/[\t\n\r]/.test(request.url)) {
    warnings.push("The URL holds a tab or a line break, which the URL parser drops");
  }
  const authorization = takeCredentials(url);
  const body = toSendable(request);
  if (body && (method === "GET" || method === "HEAD")) {
    throw new UnsendableRequestError(
      `Cannot send ${method} "${url.href}" with a body: fetch refuses a body on GET and HEAD; ` +
        "use POST or QUERY, or put the values into the query of the URL",
    );
  }
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
    method,
    url: url.href,
    writtenUrl: request.url,
    headers,
    added,
    body: isStreamed(request.body) ? undefined : request.body,
  };
  return {
    sent: withRarer(sent, request),
    url,
    body,
    warnings,
  };
}

/** Only where a request has a name or a streamed body: most have neither. */
function withRarer(sent: SentRequest, { name, body }: ResolvedRequest): SentRequest {
  const named = name === undefined ? sent : { name, ...sent };
  return isStreamed(body) ? { ...named, streamed: describeStream(body) } : named;
}

function lengthOf(body: SendableBody | undefined): number {
  if (typeof body === "string") return encoder.encode(body).byteLength;
  return isStreamed(body) ? (body.size ?? -1) : (body?.byteLength ?? 0);
}

/** Takes user info out of a URL, which fetch refuses, and gives the header that says the same. */
export function takeCredentials(url: URL): string | undefined {
  if (!url.username && !url.password) return undefined;
  const pair = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = "";
  url.password = "";
  return `Basic ${btoa(toByteString(pair))}`;
}

/** Text as the header bytes of its UTF-8 form, as curl sends it; fetch takes one byte a character. */
export function toByteString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
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

/** Node and Deno fail on such a value with words of their own; Bun sends it, and servers refuse it. */
function checkValue(name: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const control = /[\x00-\x08\x0a-\x1f\x7f]/.exec(value)?.[0];
  if (control === undefined) return;
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw new UnsendableRequestError(
    `Cannot send the header "${name}": its value holds the control character U+${code}`,
  );
}

function parseUrl(written: string): URL {
  let url: URL;
  try {
    url = new URL(written);
  } catch (cause) {
    const wanted = written.includes("{{")
      ? "placeholders are filled in request texts, as in client.send(`GET {{base}}/users`)"
      : "an absolute URL is needed, such as https://example.com/users";
    const state = written === "" ? "it is empty" : "it does not parse";
    throw new UnsendableRequestError(`Cannot send to the URL "${written}": ${state}; ${wanted}`, {
      cause,
    });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const scheme = url.protocol.slice(0, -1);
    throw new UnsendableRequestError(
      `Cannot send to the URL "${written}": its scheme is "${scheme}", only http and https can be sent`,
    );
  }
  return url;
}

function toSendable({ body, headers }: ResolvedRequest): SendableBody | undefined {
  if (isStreamed(body)) return body;
  if (body === undefined || body.length === 0) return undefined;
  if (typeof body === "string") {
    // Fetch adds a Content-Type to a string where none is written, to bytes it adds none.
    const typed = headers.some(([name]) => name.toLowerCase() === "content-type");
    return typed ? body : encoder.encode(body);
  }
  // A view of shared memory is not a body for fetch; every other view is passed on as it is.
  return body.buffer instanceof ArrayBuffer
    ? (body as Uint8Array<ArrayBuffer>)
    : new Uint8Array(body);
}

function describeStream({ size, path }: StreamedBody): NonNullable<SentRequest["streamed"]> {
  return { ...(size === undefined ? {} : { size }), ...(path === undefined ? {} : { path }) };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken escapes in user info are sent as they are written.
    return text;
  }
}
