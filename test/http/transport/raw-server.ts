import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A server of raw bytes, for one check. */
export interface RawServer {
  readonly url: URL;
  /** The pieces that have arrived, of all connections. */
  readonly heard: readonly string[];
  /** All connections, closed ones too. */
  readonly sockets: ReadonlySet<Socket>;
}

/**
 * Runs an action with a server that does what it is told with each piece that arrives.
 *
 * @param answer Gets the number of the piece, which begins at one.
 */
export async function withRawServer(
  answer: (socket: Socket, piece: string, count: number) => void,
  action: (server: RawServer) => Promise<void>,
  host = "127.0.0.1",
): Promise<void> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      const piece = data.toString("latin1");
      answer(socket, piece, heard.push(piece));
    });
  }).listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}/a?b=1`);
  try {
    await action({ url, heard, sockets });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** An answer of the bytes that are given. */
export const say =
  (text: string | Buffer) =>
  (socket: Socket): void =>
    void socket.write(text);

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
