import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { TlsOptions } from "./tls.ts";

/** Where a tunnel leads. */
interface Target {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly tls: TlsOptions;
}

/**
 * Opens a tunnel through a proxy (RFC 9110, 9.3.6), with TLS in it where the target wants it.
 *
 * @param proxy The URL of the proxy, with the name and password for it.
 * @throws {Error} The proxy is not there, or refuses; it says with which status.
 */
export async function openTunnel(proxy: string, target: Target): Promise<Duplex> {
  const { request } =
    new URL(proxy).protocol === "https:" ? await import("node:https") : await import("node:http");
  const { hostname, port, username, password } = new URL(proxy);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const known = Buffer.from(pair).toString("base64");
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const asking = request({
    method: "CONNECT",
    host: hostname.replace(/^\[|\]$/g, ""),
    ...(port === "" ? {} : { port }),
    path: authority,
    headers: {
      host: authority,
      ...(username === "" ? {} : { "proxy-authorization": `Basic ${known}` }),
    },
  });
  const socket = await answerTo(asking, proxy);
  if (!target.isSecure) return socket;
  const { connect } = await import("node:tls");
  return connect({ ...target.tls, socket, servername: target.host });
}

function answerTo(asking: ClientRequest, proxy: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    asking.once("error", reject);
    asking.once("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy ${new URL(proxy).host} answered ${statusCode}`));
    });
    asking.end();
  });
}
