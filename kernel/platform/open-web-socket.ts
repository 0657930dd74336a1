import process from "node:process";
import {
  type Connection,
  createDenoClient,
  proxyOf,
  refuse,
  type TlsOptions,
  tlsOf,
  toWay,
  type Way,
} from "./connection/mod.ts";
import type { Runtime } from "./runtime/mod.ts";
import { currentRuntime } from "./runtime/mod.ts";

/** What a WebSocket is asked for with. */
export interface Handshake {
  /** The subprotocols that are offered. */
  readonly protocols: readonly string[];
  /** Headers of the opening request. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How the server is reached. */
  readonly connection?: Connection;
  /** Called with the headers of the answer before it is open, where the runtime shows them. */
  readonly onAnswer?: (headers: readonly (readonly [name: string, value: string])[]) => void;
}

type Headers = Handshake["headers"];

/** The part of the standard's WebSocket that a client uses. */
export interface OpenedSocket {
  /** `arraybuffer` makes bytes come as bytes. */
  binaryType: string;
  /** The subprotocol that was agreed on. */
  readonly protocol: string;
  /** Calls the listener at `open`, `message`, `error` and `close`. */
  addEventListener(type: string, listener: (event: never) => void): void;
  /** Sends a message. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Makes the server wait; the package of Node can. */
  pause?(): void;
  /** Ends the wait. */
  resume?(): void;
  /** Ends the connection at once; Deno cannot. */
  terminate?(): void;
}

type Open = (url: string, handshake: Handshake, way: Way) => Promise<OpenedSocket> | OpenedSocket;

const RUNTIMES: { readonly [N in Runtime["name"]]: Open } = {
  // Node has none of its own before 22, and none that takes headers before 24.
  node: openWithPackage,
  deno: (url, handshake, way) => {
    if (way.proxy !== undefined && url.startsWith("ws:")) {
      refuse(
        "proxy",
        "Deno",
        "a proxy forwards a WebSocket only through a tunnel; use wss:, or proxy: false",
      );
    }
    return openGlobal(url, handshake, isPlain(way) ? {} : { client: createDenoClient(way) });
  },
  bun: async (url, handshake, way) => {
    const tls = await tlsOf(way);
    const socket = openGlobal(url, handshake, {
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
      ...(way.proxy === undefined ? {} : { proxy: way.proxy }),
    });
    // Bun's own event, with the answer that it gives to those who use the package of Node.
    socket.addEventListener("handshake", ({ data }: { readonly data?: Answer }) => {
      handshake.onAnswer?.(toPairs(data?.rawHeaders));
    });
    return socket;
  },
};

/** Opens a WebSocket by what the runtime has for it; proxies of the environment are followed. */
export async function openWebSocket(url: string, handshake: Handshake): Promise<OpenedSocket> {
  const { connection = {} } = handshake;
  const { name } = currentRuntime();
  if (connection.http2 === true) {
    refuse("http2", "a WebSocket", "remove it: WebSockets begin with HTTP/1.1");
  }
  const asked = new URL(url.replace(/^ws/, "http"));
  const way = toWay(connection, proxyOf(asked, connection, process.env));
  return await RUNTIMES[name](url, handshake, way);
}

interface Answer {
  readonly rawHeaders?: readonly string[];
}

/** Names and values, which stand in turn. */
function toPairs(raw: readonly string[] = []): Headers {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : []));
}

function isPlain({ proxy, ca, insecure, clientCertificate }: Way): boolean {
  return [proxy, ca, insecure, clientCertificate].every((it) => it === undefined);
}

function openGlobal(url: string, { protocols, headers }: Handshake, more: object): OpenedSocket {
  const { WebSocket } = globalThis as unknown as {
    readonly WebSocket: new (url: string, options: object) => OpenedSocket;
  };
  return new WebSocket(url, {
    protocols: [...protocols],
    headers: Object.fromEntries(headers),
    ...more,
  });
}

/** Loaded when the first one is opened. */
async function openWithPackage(
  url: string,
  { protocols, headers, onAnswer }: Handshake,
  way: Way,
): Promise<OpenedSocket> {
  const { WebSocket } = await import("ws");
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value];
  const tls = await tlsOf(way);
  const agent = way.proxy === undefined ? {} : { agent: await tunnelAgent(url, way.proxy, tls) };
  const socket = new WebSocket(url, [...protocols], { headers: values, ...tls, ...agent });
  socket.on("upgrade", ({ rawHeaders }) => onAnswer?.(toPairs(rawHeaders)));
  // Its types name their events one by one; it is the standard's interface all the same.
  return socket as unknown as OpenedSocket;
}

/** An agent whose one connection is a tunnel. */
async function tunnelAgent(
  url: string,
  proxy: string,
  tls: TlsOptions,
): Promise<import("node:http").Agent> {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === "wss:";
  const { Agent } = isSecure ? await import("node:https") : await import("node:http");
  const { openTunnel } = await import("./connection/mod.ts");
  const agent = new Agent();
  const host = hostname.replace(/^\[|\]$/g, "");
  const target = { host, port: Number(port || (isSecure ? 443 : 80)), isSecure, tls };
  const create = (_options: unknown, callback: (error: Error | null, socket?: unknown) => void) => {
    openTunnel(proxy, target).then((socket) => callback(null, socket), callback);
  };
  return Object.assign(agent, { createConnection: create });
}
