import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { TRANSPORTS } from "../support/transports.ts";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that counts the connections that come to it. */
async function listen(
  answer: RequestListener,
): Promise<{ readonly base: string; readonly sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer(answer).listen(0, "127.0.0.1");
  server.on("connection", (socket) => void sockets.add(socket));
  await once(server, "listening");
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

for (const [way, lib] of TRANSPORTS) {
  test(`by ${way}: sequential requests share connections, also after errors, redirects and retries`, async () => {
    let count = 0;
    const { base, sockets } = await listen(({ url }, response) => {
      count += 1;
      if (url === "/moved") response.writeHead(302, { location: "/here" }).end("moved");
      else if (url === "/busy" && count % 3 > 0) response.writeHead(503).end("busy");
      else response.end("here");
    });
    const lab = lib.createClient({ retry: { limit: 2, delay: 1 } });
    for (let round = 0; round < 5; round++) {
      expect((await lab.send(`GET ${base}/moved`)).text).toBe("here");
      await expect(lab.send(`GET ${base}/moved`, { redirect: "error" })).rejects.toThrow("302");
      count = 0;
      const { text, notes } = await lab.send(`GET ${base}/busy`);
      expect([text, ...notes]).toEqual(["here", "Sent 3 times: 503, then 503, then 200"]);
    }
    expect(sockets.size).toBeLessThanOrEqual(3);
  });

  test(`by ${way}: fifty concurrent requests open at most fifty connections`, async () => {
    const { base, sockets } = await listen((_request, response) => void response.end("here"));
    const lab = lib.createClient();
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 50 }, () => lab.send(`GET ${base}/`)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(sockets.size).toBeLessThanOrEqual(51);
  });
}
