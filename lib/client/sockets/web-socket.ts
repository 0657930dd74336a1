import { UnsendableRequestError } from "../errors.ts";
import type { HeaderList } from "../exchange.ts";

/** The part of the standard's WebSocket that is used. */
export interface WebSocketLike {
  binaryType: string;
  readonly protocol: string;
  addEventListener(type: string, listener: (event: never) => void): void;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

/** How a WebSocket is asked for. */
export interface WebSocketRequest {
  readonly protocols: readonly string[];
  readonly headers: HeaderList;
}

/** Opens a WebSocket; where the runtime has none of its own, it is handed in. */
export type OpenWebSocket = (
  url: string,
  request: WebSocketRequest,
) => WebSocketLike | Promise<WebSocketLike>;

type Constructor = new (
  url: string,
  options: { protocols: string[]; headers: Record<string, string> } | string[],
) => WebSocketLike;

/** Opens one by the global constructor. Deno and Bun take headers, which browsers do not. */
export const openGlobalWebSocket: OpenWebSocket = (url, { protocols, headers }) => {
  const { WebSocket } = globalThis as { WebSocket?: unknown };
  if (typeof WebSocket !== "function") {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}": this runtime has none; give createClient an openWebSocket function`,
    );
  }
  const Socket = WebSocket as Constructor;
  if (headers.length === 0) return new Socket(url, [...protocols]);
  return new Socket(url, { protocols: [...protocols], headers: Object.fromEntries(headers) });
};
