import {
  decodeText,
  fromBase64,
  markReplayed,
  parseMediaType,
  UnansweredError,
} from "../exchange/mod.ts";
import { type Fetch, isCompression, toByteString } from "../http/mod.ts";
import type { OpenWebSocket, WebSocketLike } from "../websocket/mod.ts";
import { createMatcher, matches, toPattern, type WantedRequest, withoutVarying } from "./match.ts";
import { createNearest } from "./nearest.ts";
import type { RecordedEntry, RecordedMessage, RecordedResponse, Recording } from "./read-har.ts";

/** What to do about a request that is not in the recording. */
const ADVICE = "Set the option sendMissing to send it";

/** Options of {@link createReplay}. */
export interface ReplayOptions {
  /** Whether requests that are not in the recording are sent; otherwise they fail. */
  readonly sendMissing?: boolean | undefined;
  /** Opens the WebSockets that are not in the recording, if `sendMissing` is set. */
  readonly openWebSocket?: OpenWebSocket | undefined;
  /** What to do about a request that is not in the recording; by default the message names `sendMissing`. */
  readonly advice?: string | undefined;
}

/** The options of a client that is answered from a recording. */
export interface Replay {
  /** Wraps the fetch that would send a request. */
  readonly replay: (network: Fetch) => Fetch;
  /** Opens a WebSocket. */
  readonly openWebSocket: OpenWebSocket;
  /** The recorded requests and WebSockets that have answered nothing yet, in the order of recording. */
  readonly unused: readonly Pick<RecordedEntry, "method" | "url">[];
}

/**
 * Answers the requests of a client from a recording, without opening a connection: by method, URL and body,
 * and in the order of recording where a request came more than once. Headers, dates, UUIDs, timestamps, the
 * ports of this machine and masked secrets may differ.
 *
 * @example
 * ```ts
 * const entry = {
 *   request: { method: "GET", url: "http://api.test/users/1" },
 *   response: { status: 200, content: { text: '{"id":1}', mimeType: "application/json" } },
 * };
 * const recording = readHar(JSON.stringify({ log: { entries: [entry] } }), "users.har");
 * const replay = createReplay(recording);
 * const lab = createClient(replay);
 * replay.unused; // [{ method: "GET", url: "http://api.test/users/1" }]
 * (await lab.send("GET http://api.test/users/1")).json.id; // 1
 * replay.unused; // []
 * ```
 */
export function createReplay(
  recording: Recording,
  { sendMissing = false, openWebSocket, advice = ADVICE }: ReplayOptions = {},
): Replay {
  const { name, entries } = recording;
  const isSocket = ({ messages }: Recording["entries"][number]): boolean => messages !== undefined;
  const sockets = entries.filter(isSocket);
  const requests = entries.filter((entry) => !isSocket(entry));
  const used = new Set<RecordedEntry>();
  const findSocket = createMatcher(sockets, used);
  const findRequest = createMatcher(requests, used);
  const nearestSocket = createNearest(sockets);
  const nearestRequest = createNearest(requests);
  const unused = (): Replay["unused"] =>
    entries.filter((entry) => !used.has(entry)).map(({ method, url }) => ({ method, url }));
  const replay: Omit<Replay, "unused"> = {
    replay: (network) => async (input, init) => {
      const wanted = await readRequest(input, init);
      init?.signal?.throwIfAborted();
      // A recording has a body as it was before restlab compressed it, and one of a program as it was sent.
      const plain = await uncompressed(wanted);
      const entry = (plain && findRequest.find(plain)) ?? findRequest.find(wanted);
      if (entry !== undefined) return toResponse(entry, name);
      if (!sendMissing) {
        throw notRecorded(requests, nearestRequest(plain ?? wanted), name, advice);
      }
      return await network(input, afterReading(init, wanted));
    },
    openWebSocket: (url, request) => {
      const body = new Uint8Array();
      const wanted = { method: "GET", url, body, contentType: "", contentEncoding: "" };
      const { messages } = findSocket.find(wanted) ?? {};
      if (messages !== undefined) return new ReplayedSocket(messages, name);
      if (sendMissing && openWebSocket !== undefined) return openWebSocket(url, request);
      throw notRecorded(sockets, nearestSocket(wanted), name, advice);
    },
  };
  // Not enumerable: it is no option of the clients that get the others.
  return Object.defineProperty(replay, "unused", { get: unused }) as Replay;
}

function notRecorded(
  entries: Recording["entries"],
  nearest: string | undefined,
  name: string,
  advice: string,
): UnansweredError {
  if (entries.length === 0) {
    return new UnansweredError(
      "not-recorded",
      `the recording "${name}" has no requests of this kind`,
      advice,
    );
  }
  const what = nearest === undefined ? "" : `. The nearest recorded request is ${nearest}`;
  return new UnansweredError(
    "not-recorded",
    `it is not in the recording "${name}"`,
    `${advice}${what}`,
  );
}

/** What is sent if it is not in the recording; a stream that was read is replaced by its bytes. */
function afterReading(init: RequestInit | undefined, { body }: WantedRequest): typeof init {
  return init?.body instanceof ReadableStream ? { ...init, body: body as BodyInit } : init;
}

async function readRequest(
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
): Promise<WantedRequest> {
  const given = input instanceof Request ? input : undefined;
  const headers = new Headers(init.headers ?? given?.headers);
  const body =
    init.body === undefined || init.body === null
      ? await given?.clone().arrayBuffer()
      : await bytesOf(init.body);
  return {
    method: init.method ?? given?.method ?? "GET",
    url: given?.url ?? String(input),
    body: body === undefined ? new Uint8Array() : new Uint8Array(body),
    contentType: headers.get("content-type") ?? "",
    contentEncoding: headers.get("content-encoding") ?? "",
  };
}

/** The request before its body was compressed; `undefined` if it was not. */
async function uncompressed(wanted: WantedRequest): Promise<WantedRequest | undefined> {
  const { body, contentEncoding } = wanted;
  if (!isCompression(contentEncoding)) return undefined;
  const bytes = body as Uint8Array<ArrayBuffer>;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(contentEncoding));
  try {
    return { ...wanted, body: new Uint8Array(await new Response(stream).arrayBuffer()) };
  } catch {
    // A TypeError: a program has set the header of a body that is not compressed.
    return undefined;
  }
}

async function bytesOf(body: BodyInit): Promise<ArrayBuffer> {
  return await new Response(body).arrayBuffer();
}

/** https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

const AGAIN = "Record it again";

/**
 * Creates the response of an entry.
 *
 * @param name What messages call the recording.
 * @throws {UnansweredError} The recording has no response, or not its body.
 */
function toResponse(entry: RecordedEntry, name: string): Response {
  const { method, response } = entry;
  const { status, statusText, content, error } = response;
  if (status === 0) {
    const why = error === undefined ? "" : ` (${error})`;
    throw new UnansweredError(
      "not-recorded",
      `it got none when "${name}" was recorded${why}`,
      AGAIN,
    );
  }
  const isEmpty = method === "HEAD" || NULL_BODY.has(status);
  const isRedirect = status >= 300 && status <= 399;
  if (content.text === undefined && content.size > 0 && !isEmpty && !isRedirect) {
    throw new UnansweredError("not-recorded", `"${name}" has it without its body`, AGAIN);
  }
  const headers = toHeaders(response);
  const body = isEmpty ? null : toBody(response);
  return markReplayed(createResponse(body, { status, statusText: toBytes(statusText), headers }));
}

function toBody({ content: { text = "", isBase64 } }: RecordedResponse): BodyInit | null {
  return isBase64 ? fromBase64(text) : new TextEncoder().encode(text);
}

/**
 * A text of a response as fetch has it, one character per byte, as restlab records it. A browser may have decoded it: then
 * it has characters that are none.
 */
function toBytes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for bytes
  return /^[\x00-\xff]*$/.test(text) ? text : toByteString(text);
}

function toHeaders({ headers: list, content: { text = "", isBase64 } }: RecordedResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of list) {
    try {
      headers.append(name, toBytes(value));
    } catch {
      // A browser may have saved a header that `Headers` does not accept: the others are replayed.
    }
  }
  const type = headers.get("content-type");
  // Text was decoded when it was recorded, and is UTF-8 now.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
  if (type !== null && !isBase64 && /[^\x00-\x7f]/.test(text)) {
    const { charset } = decodeText(
      new TextEncoder().encode(text.slice(0, 4096)),
      parseMediaType(type),
    );
    const bare = type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;]+)/i, "");
    if (charset !== "utf-8") headers.set("content-type", `${bare}; charset=utf-8`);
  }
  return headers;
}

/** The constructor takes no status below 200 or above 599, and few characters in the reason phrase. */
function createResponse(
  body: BodyInit | null,
  { status, statusText, headers }: Required<Omit<ResponseInit, "headers">> & { headers: Headers },
): Response {
  const isUsual = status >= 200 && status <= 599 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText);
  if (isUsual) return new Response(body, { status, statusText, headers });
  return withProperties(new Response(body, { headers }), { status, statusText, ok: false });
}

/** Hooks of ky are given clones. */
function withProperties(response: Response, properties: Partial<Response>): Response {
  const clone = (): Response => withProperties(Response.prototype.clone.call(response), properties);
  for (const [name, value] of Object.entries({ ...properties, clone })) {
    Object.defineProperty(response, name, { value });
  }
  return response;
}

/** RFC 6455, section 7.4.1: a message violates what the endpoint accepts. */
const REFUSED = 1008;

/** A WebSocket whose server sends recorded messages, each after the messages of the client before it. */
class ReplayedSocket implements WebSocketLike {
  binaryType = "arraybuffer";
  readonly protocol = "";
  readonly #messages: readonly RecordedMessage[];
  readonly #name: string;
  readonly #listeners = new Map<string, ((event: never) => void)[]>();
  #next = 0;
  #isClosed = false;

  /** @param name What messages call the recording. */
  constructor(messages: readonly RecordedMessage[], name: string) {
    this.#messages = messages;
    this.#name = name;
    // After the caller has added its listeners.
    setTimeout(() => {
      this.#emit("open", {});
      this.#receive();
    });
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.#isClosed) return;
    const recorded = this.#messages[this.#next];
    if (recorded === undefined || !isAlike(recorded, data)) {
      this.close(REFUSED, `the recording "${this.#name}" has another message here`);
      return;
    }
    this.#next += 1;
    setTimeout(() => this.#receive());
  }

  close(code = 1000, reason = ""): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    setTimeout(() => this.#emit("close", { code, reason, wasClean: true }));
  }

  /** Sends what the server sent before the next message of the client, and closes after the last one. */
  #receive(): void {
    for (; !this.#isClosed; this.#next++) {
      const message = this.#messages[this.#next];
      if (message === undefined) this.close();
      else if (message.type === "send") return;
      else this.#emit("message", { data: dataOf(message) });
    }
  }

  #emit(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }
}

function dataOf({ isBinary, data }: RecordedMessage): string | ArrayBuffer {
  return isBinary ? fromBase64(data).buffer : data;
}

function isAlike({ type, isBinary, data }: RecordedMessage, sent: string | Uint8Array): boolean {
  if (type !== "send") return false;
  // The bytes of a message may be generated ones.
  if (typeof sent !== "string") return isBinary;
  const plain = (text: string): string => withoutVarying(text.replace(/\s+/g, ""));
  return !isBinary && matches(toPattern(data).map(plain), plain(sent));
}
