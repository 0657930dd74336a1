import type { Agent, ClientRequest } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { decodePercent } from "../../lib/fetch/mod.ts";
import type { TlsOptions } from "./connection.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a URL; variables in lower case take precedence, as in curl. */
export function proxyOf(
  url: URL,
  { proxy, noProxy }: { readonly proxy?: string | false; readonly noProxy?: string },
  environment: Environment,
): string | undefined {
  if (proxy === false) return undefined;
  const excluded = noProxy ?? find(environment, "no_proxy");
  const found =
    proxy ??
    find(environment, url.protocol === "https:" ? "https_proxy" : "http_proxy") ??
    find(environment, "all_proxy");
  if (found === undefined || isExcluded(url, excluded ?? "")) return undefined;
  return found.includes("://") ? found : `http://${found}`;
}

/** Whether the environment sets a proxy. */
export function namesProxy(environment: Environment): boolean {
  return ["http_proxy", "https_proxy", "all_proxy"].some((name) => find(environment, name));
}

function find(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

/** `example.com` and `.example.com` include subdomains; an entry may have a port; `*` is every host. */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    // Several colons without brackets are an IPv6 address without a port.
    const [, name = entry.toLowerCase(), wantedPort] =
      /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (wantedPort !== undefined && wantedPort !== ownPort) return false;
    const domain = name.replace(/^\*?\./, "").replace(/^\[|\]$/g, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
}

/** The address of a proxy without its credentials, and these decoded. */
export function parseProxy(proxy: string): {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  /** The value of Proxy-Authorization, if there are credentials. */
  readonly authorization: string | undefined;
} {
  const url = new URL(proxy);
  const username = decodePercent(url.username);
  const password = decodePercent(url.password);
  url.username = "";
  url.password = "";
  const pair = Buffer.from(`${username}:${password}`).toString("base64");
  return { url, username, password, authorization: username === "" ? undefined : `Basic ${pair}` };
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly tls: TlsOptions;
}

/**
 * Opens a tunnel through a proxy (RFC 9110, 9.3.6), with TLS for a secure target.
 *
 * @param proxy The URL of the proxy, with its user name and password.
 * @throws {Error} The proxy cannot be reached, or answers with an error status.
 */
async function openTunnel(proxy: string, target: Target): Promise<Duplex> {
  const { url, authorization } = parseProxy(proxy);
  const { hostname, port, protocol } = url;
  const { request } =
    protocol === "https:" ? await import("node:https") : await import("node:http");
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const host = hostname.replace(/^\[|\]$/g, "");
  const connect = request({
    ...target.tls,
    method: "CONNECT",
    host,
    // By default Node would take that of the header Host, and compare the certificate of the proxy with it.
    servername: serverNameOf(host),
    ...(port === "" ? {} : { port }),
    path: authority,
    headers: {
      host: authority,
      ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
    },
  });
  const socket = await connectedSocket(connect, url.host);
  if (!target.isSecure) return socket;
  const tls = await import("node:tls");
  return tls.connect({
    ...target.tls,
    socket,
    host: target.host,
    servername: serverNameOf(target.host),
  });
}

/** An IP address is not a server name (RFC 6066, 3); the certificate is compared with the host then. */
function serverNameOf(host: string): string {
  return isIP(host) === 0 ? host : "";
}

type OnConnected = (error: Error | null, socket?: Duplex) => void;

/** Makes an agent open its connections through a proxy. */
export function throughTunnel(
  agent: Agent,
  proxy: string,
  { isSecure, tls }: Pick<Target, "isSecure" | "tls">,
): Agent {
  const createConnection = (
    { host, port }: { readonly host: string; readonly port: number | string },
    onConnected: OnConnected,
  ): void => {
    const target = { host, port: Number(port), isSecure, tls };
    openTunnel(proxy, target).then((socket) => onConnected(null, socket), onConnected);
  };
  return Object.assign(agent, { createConnection });
}

function connectedSocket(request: ClientRequest, proxy: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      const error = new Error(`The proxy ${proxy} answered ${statusCode}`);
      reject(Object.assign(error, { code: "ERR_PROXY_TUNNEL" }));
    });
    request.end();
  });
}
