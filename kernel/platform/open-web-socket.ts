import { currentRuntime } from "./current.ts";

/** What a WebSocket is asked for with. */
export interface Handshake {
  /** The subprotocols that are offered. */
  readonly protocols: readonly string[];
  /** Headers of the opening request. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The part of the standard's WebSocket that a client uses. */
export interface OpenedSocket {
  /** `arraybuffer` makes bytes come as bytes. */
  binaryType: string;
  /** The subprotocol that was agreed on. */
  readonly protocol: string;
  /** Calls the listener at `open`, `message`, `error` and `close`. */
  addEventListener(type: string, listener: (event: never) => void): void;
  /** Sends a message. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void;
}

/**
 * Opens WebSockets where the runtime's own is missing or behind a flag: Node before 22. Deno and Bun
 * have one that takes headers, and get nothing in its place.
 */
export const openWebSocket:
  | ((url: string, handshake: Handshake) => Promise<OpenedSocket>)
  | undefined = currentRuntime().name === "node" ? openWithPackage : undefined;

/** Loaded when the first one is opened. */
async function openWithPackage(
  url: string,
  { protocols, headers }: Handshake,
): Promise<OpenedSocket> {
  const { WebSocket } = await import("ws");
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value];
  // Its types name their events one by one; it is the standard's interface all the same.
  return new WebSocket(url, [...protocols], { headers: values }) as unknown as OpenedSocket;
}
