import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type SecureServerOptions,
} from "node:http2";
import type { Server } from "node:net";
import { gzipSync } from "node:zlib";

/** HTTP/2 and HTTP/1.1 over TLS; says how it was asked, and by which session. */
export function createHttp2Server(options: SecureServerOptions): Server {
  const sessions: Http2Session[] = [];
  const server = createSecureServer({ ...options, allowHTTP1: true }, (request, response) => {
    const isHttp2 = request.httpVersion === "2.0";
    answer(request, response, isHttp2 ? sessions.indexOf(response.stream.session as never) : -1);
  });
  return server.on("session", (session) => void sessions.push(session));
}

function answer(request: Http2ServerRequest, response: Http2ServerResponse, session: number): void {
  const { url, headers, httpVersion: version, stream } = request;
  stream?.on("error", () => undefined);
  switch (url) {
    case "/silent":
      return;
    case "/reset":
      return void stream.close(2);
    case "/half":
      response.write("half");
      setTimeout(() => stream.destroy(new Error("broken")), 20);
      return;
    case "/drop":
      response.write("half");
      setTimeout(() => stream.session?.destroy(), 20);
      return;
    case "/short":
      response.writeHead(200, { "content-length": "100" });
      return void response.end("half");
    case "/gzip":
      response.writeHead(200, { "content-encoding": "gzip" });
      return void response.end(gzipSync("packed"));
  }
  let length = 0;
  request.on("data", (piece: Uint8Array) => {
    length += piece.byteLength;
  });
  request.on("end", () => {
    if (version === "2.0") stream.additionalHeaders({ ":status": 103, link: "</a.css>" });
    response.setHeader("content-type", "application/json");
    if (version === "2.0") response.addTrailers({ "x-sum": "42" });
    response.end(JSON.stringify({ version, headers, length, session }));
    if (url === "/last") stream.session?.close();
  });
}
