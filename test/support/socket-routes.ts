import type { Server } from "node:http";
import { type RawData, WebSocketServer } from "ws";

/**
 * WebSockets by path: /echo says everything again, /greet speaks first and tells the handshake's
 * headers, /close ends after the first message, /refuse answers 401, /tick speaks for ever, /flood as fast
 * as it is heard, /cookies sets some in the handshake.
 */
export function acceptSockets(server: Server): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  sockets.on("headers", (headers, { url }) => {
    if (url !== "/cookies") return;
    headers.push("Set-Cookie: sid=from-handshake-1; Path=/", "Set-Cookie: no=1; Domain=other.test");
  });
  server.on("upgrade", (request, socket, head) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (path === "/refuse") {
      socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    if (path === "/stall") return;
    sockets.handleUpgrade(request, socket, head, (peer) => {
      if (path === "/greet") {
        const { authorization, cookie, "x-a": xA } = request.headers;
        const { protocol } = peer;
        peer.send(JSON.stringify({ hello: true, authorization, cookie, "x-a": xA, protocol }));
      }
      if (path === "/flood") {
        let n = 0;
        const filler = "y".repeat(100_000);
        const go = (): void => {
          if (peer.readyState === peer.OPEN) peer.send(`${n++} ${filler}`, () => setImmediate(go));
        };
        go();
        return;
      }
      if (path === "/tick") {
        let n = 0;
        const timer = setInterval(() => peer.send(`tick ${++n}`), 30);
        peer.on("close", () => clearInterval(timer));
      }
      peer.on("message", (data: RawData, isBinary: boolean) => {
        peer.send(data, { binary: isBinary });
        if (path === "/close") peer.close(4001, "that is enough");
      });
    });
  });
}
