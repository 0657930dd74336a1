import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { CONNECTION_DETAILS } from "../../lib/fetch/mod.ts";
import type { ConnectionDetails, TlsDetails } from "../../lib/mod.ts";
import type { TlsOptions } from "./connection.ts";
import { createNodeBody, type NodeBody } from "./node-body.ts";
import { parseProxy, throughTunnel } from "./proxy.ts";

/** How to reach servers. */
interface Route {
  /** Returns the proxy for a URL. */
  readonly proxyFor?: (url: URL) => string | undefined;
  /** The path of the socket of the server. */
  readonly unixSocket?: string | undefined;
  readonly tls?: TlsOptions;
}

/** Sends requests of one scheme, directly or through one proxy. */
interface Sender {
  readonly agent: Agent;
  readonly request: (options: RequestOptions) => ClientRequest;
  /** Answers whose connections are in use. */
  readonly answers: Set<IncomingMessage>;
  /** When the last answer of each connection began. */
  readonly answeredAt: WeakMap<object, number>;
}

/** How long an idle connection is kept, as by Node's fetch: Node's servers close it after 5 s. */
const KEEP_ALIVE = 4000;
/** Methods that need no Content-Length without a body (RFC 9110, 8.6). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);
/** The message of undici. */
const BAD_UPGRADE = "bad upgrade";
/**
 * Creates a fetch over `node:http` that does not follow redirects. It sends every method, and bodies with GET
 * and HEAD, and adds no headers but Host and those of the connection and the body. Node's own fetch needs 30 ms more to start, for a parser in WebAssembly, and more time for each
 * request.
 */
export function createFetchByNode({ proxyFor, unixSocket, tls = {} }: Route = {}): typeof fetch {
  const senders = new Map<string, Sender>();
  return async (input, init) => {
    const call = await readCall(input, init);
    const { protocol } = call.url;
    const proxy = proxyFor?.(call.url);
    const key = `${protocol}${proxy ?? ""}`;
    const sender = senders.get(key) ?? createSender(protocol, proxy, tls, unixSocket);
    senders.set(key, sender);
    // The connection of a complete answer is free two ticks later: without waiting, requests in sequence
    // would alternate between two connections.
    for (let ticks = 0; ticks < 2 && someComplete(sender.answers); ticks++) {
      await new Promise<void>(process.nextTick);
    }
    return await send(call, sender);
  };
}

const TEXT = "text/plain;charset=UTF-8";

/** https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A fetch over `node:http` without a proxy; all share its connections. */
export const fetchByNode: typeof fetch = createFetchByNode();

function someComplete(answers: ReadonlySet<IncomingMessage>): boolean {
  for (const { complete } of answers) if (complete) return true;
  return false;
}

function createSender(
  protocol: string,
  proxy: string | undefined,
  tls: TlsOptions,
  socketPath: string | undefined,
): Sender {
  const isSecure = protocol === "https:";
  // Without a tunnel for http: many proxies tunnel only to port 443.
  const relay = proxy === undefined || isSecure ? undefined : parseProxy(proxy);
  const { Agent, request } = process.getBuiltinModule(
    ((relay?.url.protocol ?? protocol) === "https:" ? "node:https" : "node:http") as "node:http",
  );
  const agent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE, ...tls });
  if (proxy !== undefined && isSecure) throughTunnel(agent, proxy, { isSecure, tls });
  const answeredAt = new WeakMap<object, number>();
  // While a cell blocks the thread, neither a timer nor the server can close a stale connection.
  const dropStale = (): void => {
    const now = performance.now();
    for (const socket of Object.values(agent.freeSockets).flatMap((list) => list ?? [])) {
      if (now - (answeredAt.get(socket) ?? now) > (socket.timeout ?? KEEP_ALIVE)) socket.destroy();
    }
  };
  return {
    agent,
    answers: new Set(),
    answeredAt,
    request: (options) => {
      dropStale();
      if (socketPath !== undefined) return request({ ...options, socketPath });
      return request(relay === undefined ? options : throughRelay(options, relay));
    },
  };
}

/** The options of a request to a proxy, which sends it on. */
function throughRelay(
  options: RequestOptions,
  { url, authorization }: ReturnType<typeof parseProxy>,
): RequestOptions {
  const { host, port, path } = options;
  const authority = `${host?.includes(":") ? `[${host}]` : host}${port ? `:${port}` : ""}`;
  const headers = options.headers as unknown as readonly (readonly [string, string])[];
  const credentials =
    authorization === undefined ? [] : [["Proxy-Authorization", authorization] as const];
  return {
    ...options,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port,
    path: `http://${authority}${path}`,
    headers: [...headers, ...credentials] as unknown as readonly string[],
  };
}

function send(call: NodeCall, { agent, request, answers, answeredAt }: Sender): Promise<Response> {
  const { method, url, body, signal } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const outgoing = request({
      agent,
      method,
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      path: url.pathname + url.search,
      headers: headersOf(call) as unknown as readonly string[],
    });
    const detailsOf = observeConnection(outgoing);
    let answer: NodeBody | undefined;
    outgoing.on("error", (cause) => {
      // A request on a reused connection may be retried: the server may just have closed it.
      reject(Object.assign(cause, { reusedSocket: outgoing.reusedSocket }));
      answer?.connectionFailed(cause);
    });
    outgoing.on("response", (message) => {
      try {
        // Without the header Upgrade, a 101 is not an "upgrade" event.
        if (message.statusCode === 101) throw new Error(BAD_UPGRADE);
        answeredAt.set(message.socket, performance.now());
        answers.add(message);
        outgoing.on("close", () => answers.delete(message));
        // A server that has answered does not need the rest of the request body.
        message.once("end", () => {
          if (!outgoing.writableFinished) outgoing.destroy();
        });
        answer = hasBody(method, message) ? createNodeBody(message) : undefined;
        resolve(new NodeResponse(answer?.stream ?? null, url, message, detailsOf(message.socket)));
        // A 205 must not have a body.
        if (message.statusCode === 205) message.destroy();
        else if (answer === undefined) message.resume();
      } catch (cause) {
        outgoing.destroy();
        reject(cause);
      }
    });
    outgoing.on("upgrade", (_message, socket) => {
      socket.destroy();
      reject(new Error(BAD_UPGRADE));
    });
    const stop = (cause: unknown): void => {
      reject(cause);
      answer?.fail(cause);
      outgoing.destroy();
    };
    // By way of the call, so that its request is not collected before.
    const onAbort = (): void => stop(call.signal?.reason);
    signal?.addEventListener("abort", onAbort);
    outgoing.on("close", () => call.signal?.removeEventListener("abort", onAbort));
    if (body === undefined || body instanceof Uint8Array) outgoing.end(body);
    else upload(body, outgoing).catch(stop);
  });
}

function hasBody(method: string, { statusCode = 0 }: IncomingMessage): boolean {
  return method !== "HEAD" && !NULL_BODY.has(statusCode);
}

/** The headers as pairs: Node sends these unchanged. */
function headersOf({ method, url, headers, body }: NodeCall): (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = [["Host", url.host], ...headers];
  if (headers.some(([name]) => name.toLowerCase() === "content-length")) return lines;
  if (body instanceof Uint8Array) lines.push(["Content-Length", String(body.byteLength)]);
  else if (body !== undefined) lines.push(["Transfer-Encoding", "chunked"]);
  else if (!WITHOUT_BODY.has(method)) lines.push(["Content-Length", "0"]);
  return lines;
}

/** Streams a body with back pressure. */
async function upload(body: ReadableStream<Uint8Array>, outgoing: ClientRequest): Promise<void> {
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

interface NodeCall {
  readonly method: string;
  readonly url: URL;
  /** As written if given as a list; a `Headers` object sorts them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | ReadableStream<Uint8Array> | undefined;
  readonly signal: AbortSignal | undefined;
  /** Kept so that it is not collected before the answer: its signal would be too. */
  readonly request: Request | undefined;
}

/** Reads the arguments of `fetch`; `init` overrides the request. */
async function readCall(
  ...[input, init = {}]: Parameters<typeof globalThis.fetch>
): Promise<NodeCall> {
  const request = input instanceof Request ? input : undefined;
  const { method = "GET", headers, signal } = { ...partsOf(request), ...init };
  const list = Array.isArray(headers) ? headers : [...new Headers(headers)];
  const { body, type } =
    init.body == null
      ? { body: request?.body == null ? undefined : new Uint8Array(await request.arrayBuffer()) }
      : await readBody(init.body);
  const isTyped = list.some(([name]) => name?.toLowerCase() === "content-type");
  return {
    method,
    url: new URL(input instanceof Request ? input.url : input),
    headers: (type && !isTyped ? [...list, ["content-type", type]] : list) as NodeCall["headers"],
    body,
    signal: signal ?? undefined,
    request,
  };
}

function partsOf(request: Request | undefined): RequestInit {
  if (request === undefined) return {};
  const { method, headers, signal } = request;
  return { method, headers, signal };
}

/** The bytes of a body, and the Content-Type that fetch sets for it. */
async function readBody(
  body: BodyInit,
): Promise<{ readonly body: NodeCall["body"]; readonly type?: string | null }> {
  if (body instanceof Uint8Array || body instanceof ReadableStream) return { body };
  if (typeof body === "string") return { body: Buffer.from(body), type: TEXT };
  const made = new Response(body);
  return { body: new Uint8Array(await made.arrayBuffer()), type: made.headers.get("content-type") };
}

/** A response with what the constructor refuses: a URL, statuses above 599, control characters in the reason phrase. */
class NodeResponse extends Response {
  override readonly url: string;
  override readonly status: number;
  override readonly statusText: string;
  override readonly ok: boolean;
  readonly [CONNECTION_DETAILS]: ConnectionDetails;
  readonly #message: IncomingMessage;

  constructor(
    body: ReadableStream<Uint8Array> | null,
    url: URL | string,
    message: IncomingMessage,
    connection: ConnectionDetails,
  ) {
    super(body, { headers: pairsOf(message.rawHeaders) });
    const { statusCode = 0, statusMessage = "" } = message;
    this.url = String(url).replace(/#.*/s, "");
    this.status = statusCode;
    this.statusText = statusMessage;
    this.ok = statusCode >= 200 && statusCode <= 299;
    this[CONNECTION_DETAILS] = connection;
    this.#message = message;
  }

  override clone(): Response {
    const { body } = super.clone();
    return new NodeResponse(body, this.url, this.#message, this[CONNECTION_DETAILS]);
  }
}

/** Pairs up names and values, which alternate. */
export function pairsOf(raw: readonly string[] = []): [name: string, value: string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
}

type Times = { dns?: number; connect?: number; tls?: number };

/** Observes the connection of a request, and returns a function for its details when the response has begun. */
function observeConnection(outgoing: ClientRequest): (socket: Socket) => ConnectionDetails {
  const start = performance.now();
  const times: Times = {};
  outgoing.once("socket", (socket: Socket) => {
    // A reused socket has emitted these events before.
    if (outgoing.reusedSocket) return;
    const note = (name: keyof Times) => () => {
      times[name] = performance.now() - start;
    };
    socket.once("lookup", note("dns"));
    socket.once("connect", note("connect"));
    socket.once("secureConnect", note("tls"));
  });
  return (socket) => {
    const firstByte = performance.now() - start;
    const { remoteAddress = "", remotePort } = socket;
    const host = remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress;
    const tls = tlsOf(socket);
    return {
      address: remotePort === undefined ? host : `${host}:${remotePort}`,
      isReused: outgoing.reusedSocket,
      ...(tls === undefined ? {} : { tls }),
      times: { ...times, firstByte },
    };
  };
}

/** TLS does not change while a connection lives, and reading the certificate takes a while. */
const known = new WeakMap<object, TlsDetails | undefined>();

function tlsOf(socket: Socket): TlsDetails | undefined {
  if (!("getProtocol" in socket)) return undefined;
  if (!known.has(socket)) known.set(socket, readTls(socket as TLSSocket));
  return known.get(socket);
}

function readTls(socket: TLSSocket): TlsDetails | undefined {
  const version = socket.getProtocol();
  if (version === null) return undefined;
  const details = { version, cipher: socket.getCipher().standardName };
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
  if (subject === undefined) return details;
  const names = { subject: nameOf(subject), issuer: nameOf(issuer) };
  return { ...details, certificate: { ...names, validTo } };
}

function nameOf({ CN, O }: { readonly CN?: unknown; readonly O?: unknown }): string {
  return String(CN ?? O ?? "");
}
