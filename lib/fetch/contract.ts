/** The property of a `Response` in which a fetch returns the details of its connection. */
export const CONNECTION_DETAILS: unique symbol = Symbol.for("restlab.connection-details");

/** The property with which the fetch of a session names the fetch of the runtime that it wraps. */
export const RUNTIME_FETCH: unique symbol = Symbol.for("restlab.runtime-fetch");

/** A request as the fetch of a platform sends it. */
export interface RequestToSend {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: URL;
  /** The headers that are passed to fetch. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The length of the body in bytes, if there is one; `NaN` if it is not known. */
  readonly bodyLength: number | undefined;
}

/** Methods that need no Content-Length without a body (RFC 9110, 8.6). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

/**
 * The headers of HTTP/1.1 that the fetch of a platform adds to a request, as far as it does not have them: of the host,
 * the body and the connection.
 *
 * @param keepAlive Whether the connection is kept for further requests.
 */
export function addedHeaders(
  { method, url, headers, bodyLength }: RequestToSend,
  keepAlive = true,
): readonly (readonly [name: string, value: string])[] {
  const added: (readonly [string, string])[] = [
    ["Host", url.host],
    ["Connection", keepAlive ? "keep-alive" : "close"],
  ];
  if (Number.isNaN(bodyLength)) added.push(["Transfer-Encoding", "chunked"]);
  else if (bodyLength !== undefined) added.push(["Content-Length", String(bodyLength)]);
  else if (!WITHOUT_BODY.has(method)) added.push(["Content-Length", "0"]);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  // A body with a length is not sent in chunks.
  if (names.has("content-length")) names.add("transfer-encoding");
  return added.filter(([name]) => !names.has(name.toLowerCase()));
}

/** Whether a `Request` with this method cannot have a body. */
export function isBodiless(method: string): boolean {
  return /^(?:GET|HEAD)$/i.test(method);
}

const USUAL: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

/** Whether the `Request` of this runtime changes a method: Bun 1.4 turns unknown methods into GET. */
export function isChangedMethod(method: string): boolean {
  return !USUAL.has(method) && methodOf(method).toUpperCase() !== method.toUpperCase();
}

/** The method of a `Request` of this runtime. */
export function methodOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}

/** The names of headers that the `Request` of this runtime drops without a word: browsers let no page send them. */
export function droppedHeaders(headers: [name: string, value: string][]): string[] {
  const kept = new Request("http://localhost/", { headers }).headers;
  return headers.map(([name]) => name).filter((name) => !kept.has(name));
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
