import type { ClientHttp2Session, OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { KEEP_ALIVE, openSocket, type Route } from "./connection.ts";
import { exchange, type Head } from "./exchange.ts";
import type { SendHttp1 } from "./http1.ts";
import { type Answer, type Call, headersOf, valuesByName } from "./message.ts";

/** A connection on which the server speaks HTTP/2, if it has a session. */
interface Connection {
  readonly socket: Socket;
  readonly session: ClientHttp2Session | undefined;
  /** The requests that wait for their end: while there are any, the connection keeps the process alive. */
  active: number;
}

/**
 * Creates the function that sends requests by HTTP/2 (RFC 9113), all to one server over one connection.
 *
 * @param byHttp1 Sends to servers that do not choose HTTP/2 by ALPN; left out, they fail.
 */
export function createHttp2(
  route: Route,
  byHttp1: SendHttp1 | undefined,
): (call: Call) => Promise<Answer> {
  const connections = new Map<string, Promise<Connection>>();
  const ALPNProtocols = byHttp1 === undefined ? ["h2"] : ["h2", "http/1.1"];
  const offered: Route = { ...route, tls: { ...route.tls, ALPNProtocols } };

  async function connect(url: URL): Promise<Connection> {
    const socket = await openSocket(url, offered);
    const isHttp2 = !("alpnProtocol" in socket) || socket.alpnProtocol === "h2";
    if (isHttp2) {
      const session = createSession(url, socket);
      // The server ends it once its streams have ended; further requests need another one.
      session.on("goaway", () => connections.delete(url.origin));
      return { socket, session, active: 0 };
    }
    if (byHttp1 !== undefined) return { socket, session: undefined, active: 0 };
    socket.destroy();
    throw Object.assign(new Error("the server does not choose HTTP/2"), { code: "ERR_ALPN" });
  }

  return async (call) => {
    const { origin } = call.url;
    let opening = connections.get(origin);
    const known = await opening?.catch(() => undefined);
    const { session } = known ?? {};
    const isReused = known !== undefined && !session?.closed && !session?.destroyed;
    // Another request may have opened one meanwhile.
    if (!isReused && connections.get(origin) === opening) {
      connections.set(origin, connect(call.url));
    }
    opening = connections.get(origin) as Promise<Connection>;
    const connection = await beforeAbort(opening, call.signal);
    if (connection.session !== undefined) {
      return await send(call, connection, connection.session, isReused);
    }
    return await (byHttp1 as SendHttp1)(call, isReused ? undefined : connection.socket);
  };
}

function beforeAbort<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function createSession({ origin }: URL, socket: Socket): ClientHttp2Session {
  const { connect } = process.getBuiltinModule("node:http2");
  const session = connect(origin, { createConnection: () => socket });
  // Its streams report the failure.
  session.on("error", () => session.destroy());
  session.setTimeout(KEEP_ALIVE, () => session.close());
  session.unref();
  return session;
}

/** Headers of a connection, which HTTP/2 forbids (RFC 9113, 8.2.2), with their values: `TE` may be `trailers`. */
const OF_CONNECTION =
  /^(?:connection|http2-settings|keep-alive|proxy-connection|te(?!:trailers$)|transfer-encoding|upgrade):/i;

const isForbidden = (header: Call["headers"][number]): boolean =>
  OF_CONNECTION.test(header.join(":"));

/** Names in lower case, and a list of values for a name that is repeated. */
function fieldsOf(call: Call): OutgoingHttpHeaders {
  const { method, url, path } = call;
  const sent = headersOf(call, true).filter((header) => !isForbidden(header));
  const fields = valuesByName(sent.map(([name, value]) => [name.toLowerCase(), value]));
  const { host, ...others } = fields;
  const target = { ":method": method, ":path": path, ":scheme": url.protocol.slice(0, -1) };
  return { ...target, ":authority": host, ...others };
}

/** CANCEL (RFC 9113, 7). */
const CANCEL = 8;

function send(
  call: Call,
  connection: Connection,
  session: ClientHttp2Session,
  isReused: boolean,
): Promise<Answer> {
  return exchange(call, (events) => {
    const stream = session.request(fieldsOf(call), { endStream: false });
    if (connection.active++ === 0) session.ref();
    let isWhole = false;
    let isAnswered = false;
    let trailers: readonly string[] = [];
    const fail = (cause: Error): void =>
      events.failed(Object.assign(cause, { reusedSocket: isReused }));
    stream.on("error", fail);
    stream.on("headers", (_fields, _flags, raw?: string[]) => events.informational(headOf(raw)));
    stream.on("trailers", (_fields, _flags, raw: string[] = []) => {
      trailers = raw;
    });
    stream.on("response", (fields, _flags, raw?: string[]) => {
      const length = call.method === "HEAD" ? undefined : fields["content-length"];
      const source = length === undefined ? stream : ofLength(stream, Number(length));
      isAnswered = true;
      events.answered({
        ...headOf(raw),
        httpVersion: "2",
        contentEncoding: fields["content-encoding"],
        source,
        isComplete: () => source.readableEnded || (source === stream && isWhole),
        rawTrailers: () => trailers,
        socket: connection.socket,
        isReused,
      });
    });
    stream.on("close", () => {
      if (--connection.active === 0) session.unref();
      // Deno 2.9 ends a stream without its event "end" when the server closes the connection after it.
      isWhole = stream.readableEnded || (stream.rstCode === 0 && !stream.aborted);
      if (!isWhole || !isAnswered) fail(connectionClosed());
    });
    const remarks = call.headers
      .filter(isForbidden)
      .map(([name]) => `The header "${name}" is not sent: HTTP/2 forbids it`);
    return { outgoing: stream, cancel: () => stream.close(CANCEL), remarks };
  });
}

/** Fails a body that is not as long as its Content-Length says (RFC 9113, 8.1.1), which Bun 1.4 does not notice. */
function ofLength(body: Readable, length: number): Readable {
  const { PassThrough, pipeline } = process.getBuiltinModule("node:stream");
  let received = 0;
  const counted = new PassThrough({
    flush(done) {
      done(received === length ? null : connectionClosed());
    },
  });
  body.on("data", ({ byteLength }: Uint8Array) => {
    received += byteLength;
  });
  // A failure reaches the reader through the last stream.
  return pipeline(body, counted, () => undefined);
}

function connectionClosed(): Error {
  return Object.assign(new Error("connection closed"), { code: "ECONNRESET" });
}

/** The status, and the fields without it. */
function headOf(raw: readonly string[] = []): Head {
  const at = raw.indexOf(":status");
  const rawHeaders = raw.filter((_it, index) => index !== at && index !== at + 1);
  return { status: Number(raw[at + 1]), statusText: "", rawHeaders };
}
