import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { join } from "node:path";
import { answer } from "./http-routes.ts";
import { answerRaw } from "./raw-routes.ts";
import { acceptSockets } from "./socket-routes.ts";

/** Where the servers of a test listen; plain data, so that it can be handed to another process. */
export interface Addresses {
  /** Well-behaved answers, see http-routes.ts. */
  readonly base: string;
  /** The same answers from another origin. */
  readonly other: string;
  /** Broken answers, see raw-routes.ts. */
  readonly raw: string;
  /** A server whose certificate nobody trusts. */
  readonly tls: string;
  /** An address where nothing listens. */
  readonly closed: string;
}

/** Loopback servers with their teardown. */
export interface TestServers extends Addresses {
  close(): Promise<void>;
}

/** Starts the loopback servers that the client is tested against. */
export async function startServers(): Promise<TestServers> {
  const pem = readFileSync(join(import.meta.dirname, "self-signed.pem"));
  const servers = [
    http.createServer(answer),
    http.createServer(answer),
    net.createServer(answerRaw),
    https.createServer({ key: pem, cert: pem }, answer),
    net.createServer(),
  ];
  for (const server of servers) if (server instanceof http.Server) acceptSockets(server);
  const sockets = new Set<net.Socket>();
  const ports: number[] = [];
  for (const server of servers) {
    server.on("connection", (socket: net.Socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    });
    ports.push(await listen(server));
  }
  await close(servers.pop());
  const [base, other, raw, tls, closed] = ports;
  return {
    base: `http://127.0.0.1:${base}`,
    other: `http://127.0.0.1:${other}`,
    raw: `http://127.0.0.1:${raw}`,
    tls: `https://localhost:${tls}`,
    closed: `http://127.0.0.1:${closed}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map(close));
    },
  };
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as net.AddressInfo).port));
  });
}

function close(server: net.Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (server) server.close(() => resolve());
    else resolve();
  });
}
