import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionOptions } from "../../lib/mod.ts";
import { createAgent, hostOf, KEEP_ALIVE, moduleOf, type Route } from "./connection.ts";
import { exchange } from "./exchange.ts";
import { type Answer, type Call, headersOf } from "./message.ts";
import { parseProxy } from "./proxy.ts";

/**
 * Sends a request by HTTP/1.1.
 *
 * @param opened A socket that is open already, for this request.
 */
export type SendHttp1 = (call: Call, opened?: Socket) => Promise<Answer>;

/**
 * Creates the function that sends requests of one scheme by `node:http` or `node:https`. Each method is sent, each may
 * have a body, and no headers are added but Host and those of the connection and the body.
 */
export function createHttp1(
  route: Route,
  { keepAlive = true, maxHeaderSize }: ConnectionOptions,
): SendHttp1 {
  // Without a tunnel for http: many proxies tunnel only to port 443.
  const relay = route.proxy === undefined || route.isSecure ? undefined : parseProxy(route.proxy);
  const isSecure = relay === undefined ? route.isSecure : relay.url.protocol === "https:";
  const http = moduleOf(isSecure);
  let ready: Socket | undefined;
  const agent = createAgent(
    relay === undefined ? route : { ...route, isSecure, proxy: undefined },
    { keepAlive, timeout: KEEP_ALIVE },
    () => {
      const socket = ready;
      ready = undefined;
      return socket;
    },
  );
  /** Answers whose connections are in use. */
  const answers = new Set<IncomingMessage>();
  /** When the last answer of each connection began. */
  const answeredAt = new WeakMap<object, number>();
  // While a cell blocks the thread, neither a timer nor the server can close a stale connection.
  const dropStale = (): void => {
    const now = performance.now();
    for (const socket of Object.values(agent.freeSockets).flatMap((list) => list ?? [])) {
      if (now - (answeredAt.get(socket) ?? now) > (socket.timeout ?? KEEP_ALIVE)) socket.destroy();
    }
  };
  return async (call, opened) => {
    // The connection of a complete answer is free two ticks later: without waiting, requests in sequence
    // would alternate between two connections.
    for (let ticks = 0; ticks < 2 && someComplete(answers); ticks++) {
      await new Promise<void>(process.nextTick);
    }
    dropStale();
    const { url, authorization } = relay ?? { url: call.url, authorization: undefined };
    const credentials =
      authorization === undefined ? [] : [["Proxy-Authorization", authorization] as const];
    const options: RequestOptions = {
      agent,
      method: call.method,
      host: hostOf(url),
      port: url.port,
      // As curl and browsers do, it reads lines that end in LF or are folded, and chunks beside a Content-Length.
      insecureHTTPParser: true,
      path: relay === undefined ? call.path : `${call.url.origin}${call.path}`,
      headers: toHeaderFields([...headersOf(call, keepAlive), ...credentials]),
      ...(maxHeaderSize === undefined ? {} : { maxHeaderSize }),
    };
    ready = opened;
    const open = (): ClientRequest => http.request(options);
    return await send(call, open, (message) => {
      answeredAt.set(message.socket, performance.now());
      answers.add(message);
      message.once("close", () => answers.delete(message));
    });
  };
}

type Fields = Record<string, string | string[]>;

/**
 * Headers in the form that wrappers of `http.request` know, which copy them and add their own: tracing, mocks. Node would
 * send the lines of a repeated name one after the other, in the case of the first, and those of Cookie as one; where
 * that is not what was written, it gets a list of all lines, whose items those that copy its members do not see.
 */
function toHeaderFields(headers: ReturnType<typeof headersOf>): Fields {
  const fields: Fields = Object.create(null);
  const written = new Map<string, string>();
  let isExact = true;
  let last = "";
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const key = written.get(lower) ?? name;
    const before = fields[key];
    isExact &&= before === undefined || (name === key && lower === last && lower !== "cookie");
    written.set(lower, key);
    fields[key] = before === undefined ? value : [before, value].flat();
    last = lower;
  }
  if (isExact) return fields;
  const lines: unknown[] = [];
  for (const [index, line] of headers.entries()) {
    Object.defineProperty(lines, index, { value: line, enumerable: false });
  }
  return Object.assign(lines, fields) as unknown as Fields;
}

function someComplete(answers: ReadonlySet<IncomingMessage>): boolean {
  for (const { complete } of answers) if (complete) return true;
  return false;
}

/** As the fetch of Node says it. */
const BAD_UPGRADE = "bad upgrade";

function send(
  call: Call,
  open: () => ClientRequest,
  onAnswer: (message: IncomingMessage) => void,
): Promise<Answer> {
  return exchange(call, (events) => {
    const outgoing = open();
    let isReused = false;
    const refuse = (connection: { destroy(): void }): void => {
      connection.destroy();
      events.failed(new Error(BAD_UPGRADE));
    };
    outgoing.once("socket", () => {
      isReused = outgoing.reusedSocket;
      // Deno 2.9 resends a request, also a POST, if its reused connection ends without an answer.
      outgoing.reusedSocket = false;
    });
    outgoing.on("error", (cause) => {
      // A request on a reused connection may be retried: the server may just have closed it.
      events.failed(Object.assign(cause, { reusedSocket: isReused }));
    });
    outgoing.on("information", ({ statusCode, statusMessage, rawHeaders }) => {
      events.informational({ status: statusCode, statusText: statusMessage, rawHeaders });
    });
    outgoing.on("response", (message) => {
      const { statusCode = 0, statusMessage = "", headers } = message;
      // Where its body ends is a guess then (RFC 9112, 6.3): nothing more of this connection is a response.
      if (headers["content-length"] && headers["transfer-encoding"]) {
        outgoing.shouldKeepAlive = false;
      }
      // Without the header Upgrade, a 101 is not an "upgrade" event.
      if (statusCode === 101) return refuse(outgoing);
      onAnswer(message);
      events.answered({
        status: statusCode,
        statusText: statusMessage,
        rawHeaders: message.rawHeaders,
        httpVersion: message.httpVersion,
        contentEncoding: headers["content-encoding"],
        source: message,
        isComplete: () => message.complete,
        rawTrailers: () => message.rawTrailers,
        socket: message.socket,
        isReused,
      });
    });
    outgoing.on("upgrade", (_message, socket) => refuse(socket));
    return { outgoing, cancel: () => void outgoing.destroy(), remarks: [] };
  });
}
