import process from "node:process";
import type { WebSocketLike, WebSocketRequest } from "../../lib/mod.ts";
import {
  type ResolvedConnection,
  rejectOption,
  type TlsOptions,
  tlsOptionsOf,
} from "./connection.ts";
import { createDenoClient } from "./deno.ts";
import { pairsOf } from "./node-fetch.ts";
import { currentRuntime, type Runtime } from "./platform.ts";
import { proxyOf, throughTunnel } from "./proxy.ts";

type Open = (
  url: string,
  handshake: WebSocketRequest,
  connection: ResolvedConnection,
) => Promise<WebSocketLike> | WebSocketLike;

const OPEN: { readonly [N in Runtime["name"]]: Open } = {
  // Node has no WebSocket before 22, and none with headers before 24.
  node: openWithPackage,
  deno: (url, handshake, connection) => {
    if (connection.proxy !== undefined && url.startsWith("ws:")) {
      rejectOption(
        "proxy",
        "Deno",
        "a proxy forwards a WebSocket only through a tunnel; use wss:, or proxy: false",
      );
    }
    return openGlobal(
      url,
      handshake,
      isPlain(connection) ? {} : { client: createDenoClient(connection) },
    );
  },
  bun: async (url, handshake, connection) => {
    const tls = await tlsOptionsOf(connection);
    const socket = openGlobal(url, handshake, {
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
      ...(connection.proxy === undefined ? {} : { proxy: connection.proxy }),
    });
    // An event of Bun, which its own version of ws uses.
    socket.addEventListener("handshake", ({ data }: { readonly data?: Answer }) => {
      handshake.onAnswer?.(pairsOf(data?.rawHeaders));
    });
    return socket;
  },
};

/** Opens a WebSocket of the runtime, or of the package ws on Node; uses the proxies of the environment. */
export async function openWebSocket(
  url: string,
  handshake: WebSocketRequest,
): Promise<WebSocketLike> {
  const { connection = {} } = handshake;
  const { name } = currentRuntime();
  if (connection.http2 === true) {
    rejectOption("http2", "a WebSocket", "remove it: WebSockets begin with HTTP/1.1");
  }
  if (connection.unixSocket !== undefined) {
    rejectOption("unixSocket", "a WebSocket", "connect to a TCP port");
  }
  const proxy = proxyOf(new URL(url.replace(/^ws/, "http")), connection, process.env);
  return await OPEN[name](url, handshake, { ...connection, proxy });
}

interface Answer {
  readonly rawHeaders?: readonly string[];
}

function isPlain({ proxy, ca, insecure, clientCertificate }: ResolvedConnection): boolean {
  return [proxy, ca, insecure, clientCertificate].every((it) => it === undefined);
}

function openGlobal(
  url: string,
  { protocols, headers }: WebSocketRequest,
  more: object,
): WebSocketLike {
  const { WebSocket } = globalThis as unknown as {
    readonly WebSocket: new (url: string, options: object) => WebSocketLike;
  };
  return new WebSocket(url, {
    protocols: [...protocols],
    // The constructor takes a record, in which a repeated header has one value.
    headers: Object.fromEntries(
      new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    ),
    ...more,
  });
}

async function openWithPackage(
  url: string,
  { protocols, headers, onAnswer }: WebSocketRequest,
  connection: ResolvedConnection,
): Promise<WebSocketLike> {
  const { WebSocket } = await import("ws");
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value];
  const tls = await tlsOptionsOf(connection);
  const agent =
    connection.proxy === undefined ? {} : { agent: await tunnelAgent(url, connection.proxy, tls) };
  const socket = new WebSocket(url, [...protocols], { headers: values, ...tls, ...agent });
  socket.on("upgrade", ({ rawHeaders }) => onAnswer?.(pairsOf(rawHeaders)));
  // The types of ws differ for each event; the interface is that of the standard.
  return socket as unknown as WebSocketLike;
}

/** Creates an agent that connects through a tunnel. */
async function tunnelAgent(
  url: string,
  proxy: string,
  tls: TlsOptions,
): Promise<import("node:http").Agent> {
  const isSecure = url.startsWith("wss:");
  const { Agent } = isSecure ? await import("node:https") : await import("node:http");
  return throughTunnel(new Agent(), proxy, { isSecure, tls });
}
