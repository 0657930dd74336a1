import type { Writable } from "node:stream";
import { addedHeaders, CONNECTION_DETAILS } from "../../lib/fetch/mod.ts";
import type { ConnectionDetails, ConnectionOptions } from "../../lib/mod.ts";

/** The arguments of `fetch` as data. */
export interface Call {
  readonly method: string;
  readonly url: URL;
  /** What follows the authority in the URL, without its fragment: a final `?` stays. */
  readonly path: string;
  /** As written if given as a list; a `Headers` object sorts them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** Whether a compressed body of the answer is decompressed. */
  readonly decompresses: boolean;
  readonly signal: AbortSignal | undefined;
  /** When it began, from `performance.now()`. */
  readonly start: number;
  /** Kept so that it is not collected before the answer: its signal would be too. */
  readonly request: Request | undefined;
}

/**
 * Reads the arguments of `fetch`; `init` overrides the request.
 */
export async function readCall(
  [input, init = {}]: Parameters<typeof globalThis.fetch>,
  { pathAsIs = false, decompress = true }: ConnectionOptions = {},
): Promise<Call> {
  const start = performance.now();
  const request = input instanceof Request ? input : undefined;
  const { method = "GET", headers, signal } = { ...partsOf(request), ...init };
  const list = Array.isArray(headers) ? headers : [...new Headers(headers)];
  const { body, type } =
    init.body == null
      ? { body: request?.body == null ? undefined : new Uint8Array(await request.arrayBuffer()) }
      : await readBody(init.body);
  const isTyped = list.some(([name]) => name?.toLowerCase() === "content-type");
  const address = String(request?.url ?? input);
  const url = new URL(address);
  return {
    method,
    url,
    path: (pathAsIs ? address : url.href).replace(/#.*/s, "").slice(url.origin.length),
    headers: (type && !isTyped ? [...list, ["content-type", type]] : list) as Call["headers"],
    body,
    decompresses: decompress,
    signal: signal ?? undefined,
    start,
    request,
  };
}

function partsOf(request: Request | undefined): RequestInit {
  if (request === undefined) return {};
  const { method, headers, signal } = request;
  return { method, headers, signal };
}

const TEXT = "text/plain;charset=UTF-8";

/** The bytes of a body, and the Content-Type that fetch sets for it. */
async function readBody(
  body: BodyInit,
): Promise<{ readonly body: Call["body"]; readonly type?: string | null }> {
  if (body instanceof Uint8Array || body instanceof ReadableStream) return { body };
  if (typeof body === "string") return { body: Buffer.from(body), type: TEXT };
  const made = new Response(body);
  return { body: new Uint8Array(await made.arrayBuffer()), type: made.headers.get("content-type") };
}

/** All headers of a call as pairs, which Node sends unchanged: Host first, and those of the connection last. */
export function headersOf(
  { method, url, headers, body }: Call,
  keepAlive: boolean,
): readonly (readonly [name: string, value: string])[] {
  const bodyLength = body instanceof Uint8Array ? body.byteLength : body && Number.NaN;
  const added = addedHeaders({ method, url, headers, bodyLength }, keepAlive);
  const host = added.filter(([name]) => name === "Host");
  return [...host, ...headers, ...added.slice(host.length)];
}

/** Values by their names; a list where a name is repeated. Any name may be that of a header, `constructor` as well. */
export function valuesByName(pairs: Call["headers"]): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

/**
 * Writes the body of a call, a stream with back pressure.
 *
 * @param fail Gets the error of the stream.
 */
export function writeBody(
  { body }: Call,
  outgoing: Writable,
  fail: (cause: unknown) => void,
): void {
  if (body === undefined || body instanceof Uint8Array) outgoing.end(body);
  else upload(body, outgoing).catch(fail);
}

async function upload(body: ReadableStream<Uint8Array>, outgoing: Writable): Promise<void> {
  let proceed = (): void => undefined;
  const reader = body.getReader();
  outgoing.on("drain", () => proceed());
  outgoing.on("close", () => {
    proceed();
    // Not awaited: the source may be slow.
    reader.cancel().catch(() => undefined);
  });
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const hasRoom = outgoing.write(step.value);
    if (!hasRoom && !outgoing.destroyed) {
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
    }
    if (outgoing.destroyed) return;
  }
  if (!outgoing.destroyed) outgoing.end();
}

/** What a server has answered, whose body may still arrive. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: [name: string, value: string][];
  readonly body: ReadableStream<Uint8Array> | null;
  readonly connection: ConnectionDetails;
}

/** https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Whether the answer to a request may have a body. */
export function mayHaveBody(method: string, status: number): boolean {
  return method !== "HEAD" && !NULL_BODY.has(status);
}

/** Pairs up names and values, which alternate. */
export function pairsOf(raw: readonly string[] = []): [name: string, value: string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
}

/** Creates the response of an answer from a URL. */
export function toResponse(answer: Answer, url: string): Response {
  const isMalformed = answer.headers.some(([, value]) => value.includes("\0"));
  if (isMalformed) {
    throw Object.assign(new Error("Parse Error: NUL in a header value"), {
      code: "HPE_INVALID_HEADER_TOKEN",
    });
  }
  return new AnsweredResponse(answer, url);
}

/** A response with what the constructor refuses: a URL, statuses above 599, control characters in the reason phrase. */
class AnsweredResponse extends Response {
  override readonly url: string;
  override readonly status: number;
  override readonly statusText: string;
  override readonly ok: boolean;
  readonly [CONNECTION_DETAILS]: ConnectionDetails;
  readonly #answer: Answer;

  constructor(answer: Answer, url: string) {
    super(answer.body, { headers: answer.headers });
    this.url = url.replace(/#.*/s, "");
    this.status = answer.status;
    this.statusText = answer.statusText;
    this.ok = answer.status >= 200 && answer.status <= 299;
    this[CONNECTION_DETAILS] = answer.connection;
    this.#answer = answer;
  }

  override clone(): Response {
    return new AnsweredResponse({ ...this.#answer, body: super.clone().body }, this.url);
  }
}
