import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../../support/http-routes.ts";
import { acceptSockets } from "../../support/socket-routes.ts";
import { createCertificates, type Identity, type WrongCertificate } from "./certificates.ts";
import { answerChallenge } from "./digest-server.ts";
import { createHttp2Server } from "./http2-server.ts";
import { createOriginServer } from "./origin-server.ts";
import { startProvider } from "./provider.ts";
import { createProxy } from "./proxy-server.ts";
import { answerRoute } from "./routes.ts";

/** Where the servers of the contract listen; plain data for another process. */
export interface Places {
  /** The echo of the client's contract. */
  readonly base: string;
  /** Cookies, retries, limits, uploads. */
  readonly site: string;
  /** The same from another origin. */
  readonly other: string;
  /** Leads elsewhere and keeps what it was sent; see origin-server.ts. */
  readonly home: string;
  /** The same from another origin. */
  readonly stranger: string;
  readonly digest: string;
  /** HTTPS with a certificate of the test's authority. */
  readonly tls: string;
  /** The same, for those who show a certificate of that authority. */
  readonly mutual: string;
  /** Servers with which there is no handshake. */
  readonly refused: Readonly<
    Record<WrongCertificate | "strict" | "strict12" | "old" | "plain", string>
  >;
  /** HTTP/2 and HTTP/1.1 over TLS; says which it was. */
  readonly h2: string;
  /** A forward proxy; `/log` tells what went through. */
  readonly proxy: string;
  /** The same for those who know ada's password. */
  readonly guarded: string;
  /** An OpenID Connect server with an API that wants its tokens at `/api`. */
  readonly issuer: string;
  readonly ca: string;
  readonly client: Identity;
  /** A folder with `large.bin` of 64 MiB, `small.json` and `picture.png`. */
  readonly folder: string;
}

/** Starts all of them. */
export async function startPlaces(): Promise<Places & { close(): Promise<void> }> {
  const { ca, server, client, wrong } = await createCertificates();
  const secure = { key: server.key, cert: server.cert };
  const servers: net.Server[] = [];
  const start = async (one: net.Server): Promise<number> => {
    servers.push(one);
    one.on("connection", keep);
    one.on("secureConnection", keep);
    await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
    return (one.address() as net.AddressInfo).port;
  };
  const sockets = new Set<net.Socket>();
  function keep(socket: net.Socket): void {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  }
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const safely = (port: number): string => `https://localhost:${port}`;
  const mutual = { ...secure, ca: ca.cert, requestCert: true, rejectUnauthorized: false };
  const strict = { ...mutual, rejectUnauthorized: true };
  const refusing: Readonly<Record<keyof Places["refused"], https.ServerOptions>> = {
    ...wrong,
    strict,
    strict12: { ...strict, maxVersion: "TLSv1.2" },
    old: { ...secure, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" },
    plain: {},
  };
  const refused: Record<string, string> = {};
  for (const [name, options] of Object.entries(refusing)) {
    const server =
      name === "plain" ? http.createServer(answer) : https.createServer(options, answer);
    refused[name] = safely(await start(server));
  }
  const provider = await startProvider();
  const folder = mkdtempSync(join(tmpdir(), "restlab-http-"));
  writeFileSync(join(folder, "large.bin"), Buffer.alloc(64 * 1024 * 1024, "x"));
  writeFileSync(join(folder, "small.json"), '{"name": "{{name}}"}');
  writeFileSync(join(folder, "picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]));
  return {
    base: at(await start(withSockets(http.createServer(answer)))),
    site: at(await start(http.createServer(answerRoute))),
    other: at(await start(http.createServer(answerRoute))),
    home: at(await start(createOriginServer())),
    stranger: at(await start(createOriginServer())),
    digest: at(await start(http.createServer(answerChallenge))),
    tls: safely(
      await start(withSockets(https.createServer(secure, withMetadata(provider.issuer, answer)))),
    ),
    mutual: safely(await start(withSockets(https.createServer(mutual, sayWho)))),
    refused: refused as Places["refused"],
    h2: safely(await start(createHttp2Server(secure))),
    proxy: at(await start(createProxy())),
    guarded: at(await start(createProxy("ada", "pa:ss"))),
    issuer: provider.issuer,
    ca: ca.cert,
    client,
    folder,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** WebSockets beside what it answers. */
function withSockets<S extends http.Server>(server: S): S {
  acceptSockets(server);
  return server;
}

/**
 * Adds two issuers: `/insecure` names a token endpoint on another host in clear text, `/loopback` the one of
 * the provider.
 */
function withMetadata(issuer: string, other: http.RequestListener): http.RequestListener {
  const tokenEndpoints = new Map([
    ["/insecure", "http://tokens.test/token"],
    ["/loopback", `${issuer}/token`],
  ]);
  return (request, response) => {
    const [path = ""] = request.url?.split("/.well-known/") ?? [];
    const token_endpoint = tokenEndpoints.get(path);
    if (token_endpoint === undefined) return other(request, response);
    const metadata = { issuer: `https://${request.headers.host}${path}`, token_endpoint };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(metadata));
  };
}

function sayWho(request: IncomingMessage, response: ServerResponse): void {
  const socket = request.socket as import("node:tls").TLSSocket;
  const shown = socket.getPeerCertificate().subject?.CN;
  const name = socket.authorized ? shown : undefined;
  response.writeHead(name === undefined ? 403 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ name: name ?? null, shown }));
}
