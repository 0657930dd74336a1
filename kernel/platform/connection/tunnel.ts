import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { TlsOptions } from "./tls.ts";

/** The end of a tunnel. */
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
  const { request } =
    new URL(proxy).protocol === "https:" ? await import("node:https") : await import("node:http");
  const { hostname, port, username, password } = new URL(proxy);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const credentials = Buffer.from(pair).toString("base64");
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const connect = request({
    method: "CONNECT",
    host: hostname.replace(/^\[|\]$/g, ""),
    ...(port === "" ? {} : { port }),
    path: authority,
    headers: {
      host: authority,
      ...(username === "" ? {} : { "proxy-authorization": `Basic ${credentials}` }),
    },
  });
  const socket = await connectedSocket(connect, proxy);
  if (!target.isSecure) return socket;
  const tls = await import("node:tls");
  return tls.connect({ ...target.tls, socket, servername: target.host });
}

function connectedSocket(request: ClientRequest, proxy: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy ${new URL(proxy).host} answered ${statusCode}`));
    });
    request.end();
  });
}
