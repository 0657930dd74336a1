import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

/** A peer that can send any bytes, also what no library would send. */
export interface RawPeer {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): Buffer;
  write(...parts: readonly (Uint8Array | readonly number[] | string)[]): void;
  /** Resolves once `size` bytes have arrived. */
  until(size: number): Promise<Buffer>;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<void>;
}

export const greeting = (major: number, minor: number, mechanism = "NULL"): Buffer => {
  const bytes = Buffer.alloc(64);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = major;
  bytes[11] = minor;
  bytes.write(mechanism, 12);
  return bytes;
};

const property = (name: string, value: string): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(value.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), size, Buffer.from(value)]);
};

export const command = (name: string, data: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    Buffer.from([4, 1 + name.length + data.length, name.length]),
    Buffer.from(name),
    data,
  ]);

export const ready = (type: string, identity = ""): Buffer =>
  command("READY", Buffer.concat([property("Socket-Type", type), property("Identity", identity)]));

/** The message of a subscriber that adds a prefix. */
export const subscribe = (prefix = ""): Buffer =>
  Buffer.from([0, 1 + prefix.length, 1, ...Buffer.from(prefix)]);

/** Our READY with the socket type: what follows the 64 bytes of the greeting. */
export const readySize = (type: string): number => ready(type).length - 13;

/** Connects to an endpoint of tcp on IPv4 or of ipc, and sends nothing. */
export function connectRaw(endpoint: string): RawPeer {
  const [, port] = /^tcp:.*:(\d+)$/.exec(endpoint) ?? [];
  const socket =
    port === undefined
      ? createConnection({ path: endpoint.replace("ipc://", "") })
      : createConnection({ host: "127.0.0.1", port: Number(port) });
  let received = Buffer.alloc(0);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  return {
    socket,
    ended,
    received: () => received,
    write: (...parts) =>
      void socket.write(
        Buffer.concat(
          parts.map((part) =>
            typeof part === "string" ? Buffer.from(part) : Uint8Array.from(part),
          ),
        ),
      ),
    until: async (size) => {
      while (received.length < size) {
        if (socket.closed) throw new Error(`Ended after ${received.length} bytes`);
        await Promise.race([once(socket, "data"), ended]);
      }
      return received;
    },
  };
}

/** A raw peer with its handshake done. */
export async function connectReady(
  endpoint: string,
  type: string,
  identity = "",
  minor = 1,
): Promise<RawPeer> {
  const peer = connectRaw(endpoint);
  peer.write(greeting(3, minor), ready(type, identity));
  await peer.until(65);
  return peer;
}
