import type { Agent, ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import { parseProxy } from "./proxy.ts";
import type { TlsOptions } from "./tls.ts";

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
export async function openTunnel(proxy: string, target: Target): Promise<Duplex> {
  const { url, authorization } = parseProxy(proxy);
  const { hostname, port, protocol } = url;
  const { request } =
    protocol === "https:" ? await import("node:https") : await import("node:http");
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const connect = request({
    method: "CONNECT",
    host: hostname.replace(/^\[|\]$/g, ""),
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
  return tls.connect({ ...target.tls, socket, servername: target.host });
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
      reject(new Error(`The proxy ${proxy} answered ${statusCode}`));
    });
    request.end();
  });
}
