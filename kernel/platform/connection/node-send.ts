import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Incoming, Outgoing, Send, Upload } from "./dispatch.ts";
import { NodeBody } from "./node-body.ts";

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
/** These have no body, whatever their headers say (RFC 9110, 6.4.1). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
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
 * Sends by Node's own client of HTTP/1.1. Its fetch takes three times as long for a request, most of it
 * for web streams, and starts 30 ms later, for a parser in WebAssembly.
 */
export const sendOnNode: Send = (outgoing) => {
  const { protocol } = outgoing.url;
  let sender = senders.get(protocol);
  if (sender === undefined) {
    sender = createSender(protocol);
    senders.set(protocol, sender);
  }
  return sender.answers.size === 0 ? send(outgoing, sender) : sendAfter(outgoing, sender);
};

/**
 * Sends when the connections of answers that have come whole are free, which is two ticks later at
 * most: requests in turn would go to and fro between two of them.
 */
async function sendAfter(outgoing: Outgoing, sender: Sender): Promise<Incoming> {
  for (let ticks = 0; ticks < 2 && someCame(sender.answers); ticks++) {
    await new Promise<void>(process.nextTick);
  }
  return await send(outgoing, sender);
}

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

function send(
  outgoing: Outgoing,
  { agent, request, answers, answeredAt }: Sender,
): Promise<Incoming> {
  const { method, url, cancellation } = outgoing;
  // A text would be written together with the head, whose characters are bytes.
  const body = typeof outgoing.body === "string" ? Buffer.from(outgoing.body) : outgoing.body;
  return new Promise((resolve, reject) => {
    if (cancellation.reason !== undefined) return reject(cancellation.reason);
    const asking = request({
      agent,
      method,
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      path: url.pathname + url.search,
      headers: linesOf(outgoing, body) as unknown as readonly string[],
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
        answer = hasBody(method, message) ? new NodeBody(message) : undefined;
        resolve(headOf(message, answer ?? null));
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
    asking.on("close", cancellation.listen(stop));
    if (body === undefined || body instanceof Uint8Array) asking.end(body);
    else upload(body, asking).catch(stop);
  });
}

function hasBody(method: string, { statusCode = 0 }: IncomingMessage): boolean {
  return method !== "HEAD" && !BODILESS.has(statusCode);
}

/** The lines of the head, as pairs: in this form Node sends them as they are. */
function linesOf(
  { method, url, headers }: Outgoing,
  body: Uint8Array | Upload | undefined,
): (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = [["Host", url.host], ...headers];
  const written = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const usual of USUAL) if (!written.has(usual[0].toLowerCase())) lines.push(usual);
  if (written.has("content-length")) return lines;
  const length = lengthOf(body, method);
  if (length !== undefined) lines.push(["Content-Length", String(length)]);
  else if (body !== undefined) lines.push(["Transfer-Encoding", "chunked"]);
  return lines;
}

function lengthOf(body: Uint8Array | Upload | undefined, method: string): number | undefined {
  if (body === undefined) return EXPECTS_NONE.has(method) ? undefined : 0;
  return body instanceof Uint8Array ? body.byteLength : body.size;
}

function headOf(message: IncomingMessage, body: Incoming["body"]): Incoming {
  const { rawHeaders } = message;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  return {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? "",
    headers,
    body,
  };
}

/** Sends a body while it is read, no quicker than the server takes it. */
async function upload(body: Upload, asking: ClientRequest): Promise<void> {
  let goOn = (): void => undefined;
  const reader = body.stream().getReader();
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
