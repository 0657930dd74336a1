import type { HeaderList } from "../exchange/mod.ts";
import { UnsendableRequestError } from "../exchange/mod.ts";
import type { ConnectionOptions } from "../http/mod.ts";

/** The part of the standard's WebSocket that is used. */
export interface WebSocketLike {
  /** `arraybuffer` is set, so that bytes come as bytes. */
  binaryType: string;
  /** The subprotocol that was agreed on. */
  readonly protocol: string;
  /** Calls the listener at `open`, `message`, `error` and `close`. */
  addEventListener(type: string, listener: (event: never) => void): void;
  /** Sends a message. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Makes the server wait, where there is a way. */
  pause?(): void;
  /** Ends the wait. */
  resume?(): void;
  /** Ends the connection at once, where there is a way. */
  terminate?(): void;
}

/** How a WebSocket is asked for. */
export interface WebSocketRequest {
  /** The subprotocols that are offered. */
  readonly protocols: readonly string[];
  /** Headers of the opening handshake. */
  readonly headers: HeaderList;
  /** How the server is to be reached, the files of certificates read. */
  readonly connection?: ConnectionOptions;
  /** To be called with the headers of the answer before it is open, where the runtime shows them. */
  readonly onAnswer?: (headers: HeaderList) => void;
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
export const openGlobalWebSocket: OpenWebSocket = (url, { protocols, headers, connection }) => {
  if (connection !== undefined) {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}" with the connection options ${Object.keys(connection).join(", ")}: ` +
        "this client has only the global WebSocket; give createClient openWebSocket of restlab/platform",
    );
  }
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
