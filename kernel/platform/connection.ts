import type { Agent, ClientRequest } from "node:http";
import { isIP, type Socket } from "node:net";
import { watchOpening } from "./connection-details.ts";
import { parseProxy } from "./proxy.ts";
import type { TlsOptions } from "./tls-options.ts";

/** Milliseconds that an idle connection is kept, as by Node's fetch: Node's servers close it after 5 s. */
export const KEEP_ALIVE = 4000;

/** How the servers of one scheme are reached. */
export interface Route {
  readonly isSecure: boolean;
  /** The URL of the proxy. */
  readonly proxy: string | undefined;
  /** The path of the socket of the server. */
  readonly unixSocket: string | undefined;
  readonly tls: TlsOptions;
}

/** The host of a URL as a socket takes it: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** What a host is resolved by: names below localhost are the loopback (RFC 6761, 6.3), which not each resolver knows. */
function resolvedBy(host: string): string {
  return /\.localhost\.?$/i.test(host) ? "localhost" : host;
}

/** The module that sends by HTTP/1.1, with TLS or without. */
export function moduleOf(isSecure: boolean): typeof import("node:https") {
  return process.getBuiltinModule((isSecure ? "node:https" : "node:http") as "node:https");
}

/** An IP address is not a server name (RFC 6066, 3); the certificate is compared with the host then. */
function serverNameOf(host: string): string {
  return isIP(host) === 0 ? host : "";
}

/** The port of a URL. */
function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

/** Opens a connection to the server of a URL, and resolves when it can be used. */
export async function openSocket(
  url: URL,
  { isSecure, proxy, unixSocket, tls }: Route,
): Promise<Socket> {
  const host = hostOf(url);
  const port = portOf(url);
  if (proxy !== undefined) return await openTunnel(proxy, { host, port, isSecure, tls });
  const place = unixSocket === undefined ? { host: resolvedBy(host), port } : { path: unixSocket };
  const socket = isSecure
    ? process
        .getBuiltinModule("node:tls")
        .connect({ servername: serverNameOf(host), ...tls, host, ...place })
    : process.getBuiltinModule("node:net").connect(place);
  return await untilOpen(watchOpening(socket), isSecure);
}

/** Resolves when a socket is connected, and TLS is ready. */
function untilOpen<S extends Socket>(socket: S, isSecure: boolean): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

type OnConnected = (error: Error | null, socket?: Socket) => void;

/**
 * Creates an agent that opens connections by a route.
 *
 * @param takeOpened Returns a socket that is open already, for the next connection.
 */
export function createAgent(
  { isSecure, proxy, unixSocket, tls }: Route,
  options: { readonly keepAlive?: boolean; readonly timeout?: number } = {},
  takeOpened: () => Socket | undefined = () => undefined,
): Agent {
  const agent = new (moduleOf(isSecure).Agent)({ ...options, ...tls });
  const { createConnection } = agent as unknown as {
    readonly createConnection: (options: object, onConnected: OnConnected) => Socket | undefined;
  };
  return Object.assign(agent, {
    createConnection(
      place: { readonly host: string; readonly port: number | string },
      onConnected: OnConnected,
    ): Socket | undefined {
      const opened = takeOpened();
      if (opened !== undefined) return opened;
      if (proxy === undefined) {
        const host = resolvedBy(place.host);
        const way = { ...place, host, ...(unixSocket === undefined ? {} : { path: unixSocket }) };
        const socket = createConnection.call(agent, way, onConnected);
        return socket && watchOpening(socket);
      }
      const target = { host: place.host, port: Number(place.port), isSecure, tls };
      openTunnel(proxy, target).then((socket) => onConnected(null, socket), onConnected);
      return undefined;
    },
  });
}

/** What a tunnel leads to. */
interface Target {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly tls: TlsOptions;
}

/** The body of a refusal that is kept, in characters. */
const MAX_REFUSAL = 1000;

/**
 * Opens a tunnel through a proxy (RFC 9110, 9.3.6), with TLS for a secure target.
 *
 * @param proxy The URL of the proxy, with its user name and password.
 * @throws {Error} The proxy cannot be reached, or answers with an error status.
 */
async function openTunnel(proxy: string, target: Target): Promise<Socket> {
  const { url, authorization } = parseProxy(proxy);
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const host = hostOf(url);
  const { ALPNProtocols: _, ...tls } = target.tls;
  const connect = moduleOf(url.protocol === "https:").request({
    ...tls,
    method: "CONNECT",
    host,
    // By default Node would take that of the header Host, and compare the certificate of the proxy with it.
    servername: serverNameOf(host),
    ...(url.port === "" ? {} : { port: url.port }),
    path: authority,
    headers: {
      host: authority,
      ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
    },
  });
  const socket = await connectedSocket(connect, url.host);
  if (!target.isSecure) return socket;
  const secured = process.getBuiltinModule("node:tls").connect({
    servername: serverNameOf(target.host),
    ...target.tls,
    socket,
    host: target.host,
  });
  return await untilOpen(watchOpening(secured), true);
}

function connectedSocket(request: ClientRequest, proxy: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    request.once("error", (error) => reject(Object.assign(error, { isOfProxy: true })));
    request.once("connect", (answer, socket, head) => {
      const { statusCode = 0, statusMessage = "" } = answer;
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      const text = head.toString("latin1", 0, MAX_REFUSAL);
      socket.destroy();
      const status = `${statusCode} ${statusMessage}`.trimEnd();
      const error = new Error(`The proxy ${proxy} answered ${status}${text && `: ${text}`}`);
      reject(Object.assign(error, { code: "ERR_PROXY_TUNNEL", status }));
    });
    request.end();
  });
}
