import http, { type IncomingMessage, type ServerResponse } from "node:http";

/** A request as it came, whoever sent it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A server that leads elsewhere and keeps what it was sent: `/redirect/307?to=URL` answers with that
 * status, also to the handshake of a WebSocket, `/list?next=URL` links to a next page, `/digest`
 * challenges, `/log` gives all that came since it was asked for last, anything else is answered with 200.
 */
export function createOriginServer(): http.Server {
  let log: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, first, status] = url.pathname.split("/");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (first === "log") {
      response.end(JSON.stringify(log));
      log = [];
      return;
    }
    log.push(recordOf(request, Buffer.concat(chunks).toString()));
    if (first === "redirect") {
      response.writeHead(Number(status), { location: url.searchParams.get("to") ?? "/" });
      response.end("see there");
      return;
    }
    if (first === "digest" && request.headers.authorization === undefined) {
      const challenge = 'Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth"';
      response.writeHead(401, { "www-authenticate": challenge }).end();
      return;
    }
    const next = url.searchParams.get("next");
    if (next !== null) response.setHeader("link", `<${next}>; rel="next"`);
    response.setHeader("content-type", "application/json").end('[{"id": 1}]');
  };
  const server = http.createServer((request, response) => void receive(request, response));
  return server.on("upgrade", (request, socket) => {
    log.push(recordOf(request, ""));
    const url = new URL(request.url ?? "/", "http://localhost");
    const to = url.searchParams.get("to");
    const head = to === null ? "400 Bad Request" : `302 Found\r\nLocation: ${to}`;
    socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
}

function recordOf({ method, url, rawHeaders }: IncomingMessage, body: string): Received {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers[String(rawHeaders[index]).toLowerCase()] = String(rawHeaders[index + 1]);
  }
  return { method: method ?? "", url: url ?? "", headers, body };
}
