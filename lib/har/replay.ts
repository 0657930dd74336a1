import { NotRecordedError } from "../exchange/mod.ts";
import { isCompression } from "../http/mod.ts";
import type { OpenWebSocket } from "../websocket/mod.ts";
import { describeNearest } from "./differences.ts";
import { createMatcher, type WantedRequest } from "./match.ts";
import type { Recording } from "./read-har.ts";
import { ReplayedSocket } from "./replayed-socket.ts";
import { toResponse } from "./to-response.ts";

const MISSING = "Send and record it with --record-missing";

/** Options of {@link createReplay}. */
export interface ReplayOptions {
  /** Whether requests that are not in the recording are sent; otherwise they fail. */
  readonly sendMissing?: boolean;
  /** Opens the WebSockets that are not in the recording, if `sendMissing` is set. */
  readonly openWebSocket?: OpenWebSocket | undefined;
}

/** The options of a client that is answered from a recording. */
export interface Replay {
  /** Wraps the fetch that would send a request. */
  readonly replay: (network: typeof fetch) => typeof fetch;
  /** Opens a WebSocket. */
  readonly openWebSocket: OpenWebSocket;
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
 * const lab = createClient(createReplay(recording));
 * (await lab.send("GET http://api.test/users/1")).json.id; // 1
 * ```
 */
export function createReplay(
  recording: Recording,
  { sendMissing = false, openWebSocket }: ReplayOptions = {},
): Replay {
  const { name, entries } = recording;
  const isSocket = ({ messages }: Recording["entries"][number]): boolean => messages !== undefined;
  const sockets = entries.filter(isSocket);
  const requests = entries.filter((entry) => !isSocket(entry));
  const findSocket = createMatcher(sockets);
  const findRequest = createMatcher(requests);
  return {
    replay: (network) => {
      const replayed: typeof fetch = async (input, init) => {
        const wanted = await readRequest(input, init);
        init?.signal?.throwIfAborted();
        // A recording has a body as it was before restlab compressed it, and one of a program as it was sent.
        const plain = await uncompressed(wanted);
        const entry = (plain && findRequest.find(plain)) ?? findRequest.find(wanted);
        if (entry !== undefined) return toResponse(entry, name);
        if (!sendMissing) throw notRecorded(requests, plain ?? wanted, name);
        return await network(input, afterReading(init, wanted));
      };
      // It answers what the Fetch standard refuses to send as well.
      return Object.assign(replayed, { [Symbol.for("restlab.complete-fetch")]: true });
    },
    openWebSocket: (url, request) => {
      const body = new Uint8Array();
      const wanted = { method: "GET", url, body, contentType: "", contentEncoding: "" };
      const { messages } = findSocket.find(wanted) ?? {};
      if (messages !== undefined) return new ReplayedSocket(messages, name);
      if (sendMissing && openWebSocket !== undefined) return openWebSocket(url, request);
      throw notRecorded(sockets, wanted, name);
    },
  };
}

function notRecorded(
  entries: Recording["entries"],
  wanted: WantedRequest,
  name: string,
): NotRecordedError {
  if (entries.length === 0) {
    return new NotRecordedError(`the recording "${name}" has no requests of this kind`, MISSING);
  }
  const nearest = `The nearest recorded requests are:${describeNearest(entries, wanted)}`;
  return new NotRecordedError(`it is not in the recording "${name}"`, `${MISSING}. ${nearest}`);
}

/** What is sent if it is not in the recording; a stream that was read is replaced by its bytes. */
function afterReading(init: RequestInit | undefined, { body }: WantedRequest): typeof init {
  return init?.body instanceof ReadableStream ? { ...init, body: body as BodyInit } : init;
}

async function readRequest(
  input: Parameters<typeof fetch>[0],
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
