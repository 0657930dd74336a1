import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request as its bytes came, headers in the order and case of the wire. */
export interface Received {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A loopback server that keeps what it receives. */
export interface Recorder {
  readonly base: string;
  readonly port: number;
  /** Empties the list and returns what was in it. */
  take(): Received[];
  close(): Promise<void>;
}

/**
 * Starts a server that answers every request with a JSON object: its number in the life of the server, and a
 * token with that number.
 */
export async function startRecorder(): Promise<Recorder> {
  let received: Received[] = [];
  let count = 0;
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const pairs = request.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, all[index + 1] ?? ""]] : [],
    );
    received.push({
      line: `${request.method} ${request.url}`,
      headers: Object.fromEntries(pairs),
      body: Buffer.concat(pieces).toString("latin1"),
    });
    count += 1;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ count, token: `token-number-${count}` }));
  });
  // A test that computes for seconds must not meet a connection that is being closed as idle.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    take: () => {
      const taken = received;
      received = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
