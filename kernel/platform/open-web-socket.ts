import { currentRuntime } from "./current.ts";

/** What a WebSocket is asked for with. */
interface Handshake {
  readonly protocols: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The part of the standard's WebSocket that a client uses. */
interface OpenedSocket {
  binaryType: string;
  readonly protocol: string;
  addEventListener(type: string, listener: (event: never) => void): void;
  send(data: string | Uint8Array<ArrayBuffer>): void;
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
