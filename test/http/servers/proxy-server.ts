import http from "node:http";
import https from "node:https";
import net from "node:net";
import type { Identity } from "./certificates.ts";

/**
 * A forward proxy: plain requests are passed on, CONNECT makes a tunnel. `/log` tells of both.
 *
 * @param secure The certificate of a proxy over TLS.
 */
export function createProxy(user?: string, password = "", secure?: Identity): http.Server {
  const log: string[] = [];
  const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const isKnown = (headers: http.IncomingHttpHeaders): boolean =>
    user === undefined || headers["proxy-authorization"] === wanted;
  const relay: http.RequestListener = (request, response) => {
    if (request.url === "/log") {
      response.end(JSON.stringify(log.splice(0)));
      return;
    }
    if (!isKnown(request.headers)) {
      response.writeHead(407, { "proxy-authenticate": "Basic" }).end("who are you?");
      return;
    }
    log.push(`${request.method} ${request.url}`);
    const { "proxy-authorization": _own, ...headers } = request.headers;
    const onward = http.request(request.url ?? "", { method: request.method, headers }, (back) => {
      response.writeHead(back.statusCode ?? 502, { ...back.headers, via: "1.1 test" });
      back.pipe(response);
    });
    onward.on("error", () => response.writeHead(502).end());
    request.pipe(onward);
  };
  const server =
    secure === undefined ? http.createServer(relay) : https.createServer(secure, relay);
  server.on("connect", (request, socket: net.Socket) => {
    if (!isKnown(request.headers)) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return;
    }
    log.push(`CONNECT ${request.url}`);
    const [host = "", port] = (request.url ?? "").split(":");
    const onward = net.connect(Number(port), host === "localhost" ? "127.0.0.1" : host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy()).on("close", () => onward.destroy());
  });
  return server;
}
