import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { createNodeBody, type NodeBody } from "./node-body.ts";
import { type NodeCall, readCall } from "./node-call.ts";
import { BODILESS, toResponse } from "./node-response.ts";

/** What sends over one scheme. */
interface Sender {
  readonly agent: Agent;
  readonly request: (options: RequestOptions) => ClientRequest;
  /** Answers that have begun, each as long as its connection is not free. */
  readonly answers: Set<IncomingMessage>;
  /** When the last answer began to come, by connection. */
  readonly answeredAt: WeakMap<object, number>;
}

/** How long a connection is kept, as by Node's fetch: less than the 5 s after which Node's servers hang up. */
const KEPT = 4000;
/** A request by these says nothing of a body that it does not have (RFC 9110, 8.6). */
const EXPECTS_NONE: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);
/** What undici says of a 101 that nobody asked for. */
const UNASKED = "bad upgrade";
/** What goes out where it is not written: as Node's fetch has it, without what only browsers mean. */
const USUAL: readonly (readonly [string, string])[] = [
  ["Accept", "*/*"],
  ["User-Agent", "node"],
  ["Accept-Encoding", "gzip, deflate, br"],
];

const senders = new Map<string, Sender>();

/**
 * A fetch over Node's own client of HTTP/1.1, which follows no redirect. Node's fetch starts 30 ms later,
 * for a parser in WebAssembly, and takes longer for each request.
 */
export const fetchByNode: typeof fetch = async (input, init) => {
  const call = await readCall(input, init);
  const { protocol } = call.url;
  const sender = senders.get(protocol) ?? createSender(protocol);
  senders.set(protocol, sender);
  // The connections of answers that have come whole are free two ticks later at most: requests in turn
  // would go to and fro between two of them.
  for (let ticks = 0; ticks < 2 && someCame(sender.answers); ticks++) {
    await new Promise<void>(process.nextTick);
  }
  return await send(call, sender);
};

function someCame(answers: ReadonlySet<IncomingMessage>): boolean {
  for (const { complete } of answers) if (complete) return true;
  return false;
}

function createSender(protocol: string): Sender {
  const isSecure = protocol === "https:";
  const { Agent, request } = process.getBuiltinModule(
    (isSecure ? "node:https" : "node:http") as "node:http",
  );
  const agent = new Agent({ keepAlive: true, timeout: KEPT });
  const answeredAt = new WeakMap<object, number>();
  // While a cell computes no timer ends a connection whose time is over, and no server's end is heard.
  const dropStale = (): void => {
    const now = performance.now();
    for (const socket of Object.values(agent.freeSockets).flatMap((list) => list ?? [])) {
      if (now - (answeredAt.get(socket) ?? now) > (socket.timeout ?? KEPT)) socket.destroy();
    }
  };
  return {
    agent,
    answers: new Set(),
    answeredAt,
    request: (options) => {
      dropStale();
      return request(options);
    },
  };
}

function send(call: NodeCall, { agent, request, answers, answeredAt }: Sender): Promise<Response> {
  const { method, url, body, signal } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const asking = request({
      agent,
      method,
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      path: url.pathname + url.search,
      headers: linesOf(call) as unknown as readonly string[],
    });
    let answer: NodeBody | undefined;
    asking.on("error", (cause) => {
      // Whether a server may just have hung up decides whether the request goes out once more.
      reject(Object.assign(cause, { reusedSocket: asking.reusedSocket }));
      answer?.lose(cause);
    });
    asking.on("response", (message) => {
      try {
        // Nobody asked for another protocol; with its other header it is an event of its own.
        if (message.statusCode === 101) throw new Error(UNASKED);
        answeredAt.set(message.socket, performance.now());
        answers.add(message);
        asking.on("close", () => answers.delete(message));
        // Whoever has answered all wants nothing more of what is still being sent.
        message.once("end", () => {
          if (!asking.writableFinished) asking.destroy();
        });
        answer = hasBody(method, message) ? createNodeBody(message) : undefined;
        resolve(toResponse(message, url, answer?.stream ?? null));
        // What a 205 may not have is not waited for.
        if (message.statusCode === 205) message.destroy();
        else if (answer === undefined) message.resume();
      } catch (cause) {
        asking.destroy();
        reject(cause);
      }
    });
    asking.on("upgrade", (_message, socket) => {
      socket.destroy();
      reject(new Error(UNASKED));
    });
    const stop = (cause: unknown): void => {
      reject(cause);
      answer?.fail(cause);
      asking.destroy();
    };
    // By way of the call, so that its request lives as long as somebody may abort it.
    const onAbort = (): void => stop(call.signal?.reason);
    signal?.addEventListener("abort", onAbort);
    asking.on("close", () => call.signal?.removeEventListener("abort", onAbort));
    if (body === undefined || body instanceof Uint8Array) asking.end(body);
    else upload(body, asking).catch(stop);
  });
}

function hasBody(method: string, { statusCode = 0 }: IncomingMessage): boolean {
  return method !== "HEAD" && !BODILESS.has(statusCode);
}

/** The lines of the head, as pairs: in this form Node sends them as they are. */
function linesOf({ method, url, headers, body }: NodeCall): (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = [["Host", url.host], ...headers];
  const written = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const usual of USUAL) if (!written.has(usual[0].toLowerCase())) lines.push(usual);
  if (written.has("content-length")) return lines;
  if (body instanceof Uint8Array) lines.push(["Content-Length", String(body.byteLength)]);
  else if (body !== undefined) lines.push(["Transfer-Encoding", "chunked"]);
  else if (!EXPECTS_NONE.has(method)) lines.push(["Content-Length", "0"]);
  return lines;
}

/** Sends a body while it is read, no quicker than the server takes it. */
async function upload(body: ReadableStream<Uint8Array>, asking: ClientRequest): Promise<void> {
  let goOn = (): void => undefined;
  const reader = body.getReader();
  asking.on("drain", () => goOn());
  asking.on("close", () => {
    goOn();
    // A source that is slow is not waited for.
    reader.cancel().catch(() => undefined);
  });
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const isTaken = asking.write(step.value);
    if (!isTaken && !asking.destroyed) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    if (asking.destroyed) return;
  }
  if (!asking.destroyed) asking.end();
}
