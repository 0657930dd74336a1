import { type HeaderList, UnsendableRequestError } from "../exchange/mod.ts";
import type { ConnectionOptions } from "../http/mod.ts";

/** The part of the WebSocket interface of the WHATWG standard that is used. */
export interface WebSocketLike {
  /** Set to `arraybuffer`. */
  binaryType: string;
  /** The subprotocol that the server selected. */
  readonly protocol: string;
  /** Listens to `open`, `message`, `error` and `close`. */
  addEventListener(type: string, listener: (event: never) => void): void;
  /** Sends a message. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Starts the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Makes the server wait, if the implementation can. */
  pause?(): void;
  /** Ends the pause. */
  resume?(): void;
  /** Ends the connection at once, if the implementation can. */
  terminate?(): void;
}

/** The parameters of the opening handshake. */
export interface WebSocketRequest {
  /** The subprotocols to offer. */
  readonly protocols: readonly string[];
  /** Headers of the handshake. */
  readonly headers: HeaderList;
  /** The connection options, with the contents of certificate files. */
  readonly connection?: ConnectionOptions;
  /** Call it with the headers of the response before `open`, if the runtime exposes them. */
  readonly onAnswer?: (headers: HeaderList) => void;
}

/** Opens a WebSocket; passed to clients on runtimes without one. */
export type OpenWebSocket = (
  url: string,
  request: WebSocketRequest,
) => WebSocketLike | Promise<WebSocketLike>;

type Constructor = new (
  url: string,
  options: { protocols: string[]; headers: Record<string, string> } | string[],
) => WebSocketLike;

/** Opens a WebSocket with the global constructor. Deno and Bun accept headers, browsers do not. */
export const openGlobalWebSocket: OpenWebSocket = (url, { protocols, headers, connection }) => {
  if (connection !== undefined) {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}" with the connection options ${Object.keys(connection).join(", ")}: ` +
        "this client has only the global WebSocket; pass openWebSocket of restlab/platform to createClient",
    );
  }
  const { WebSocket } = globalThis as { WebSocket?: unknown };
  if (typeof WebSocket !== "function") {
    throw new UnsendableRequestError(
      `Cannot open the WebSocket "${url}": this runtime has no WebSocket; pass openWebSocket to createClient`,
    );
  }
  const Socket = WebSocket as Constructor;
  if (headers.length === 0) return new Socket(url, [...protocols]);
  return new Socket(url, { protocols: [...protocols], headers: joinValues(headers) });
};

/** One value for each name: the constructors take a record, and a list is the same as repeated headers (RFC 9110, 5.3). */
function joinValues(headers: WebSocketRequest["headers"]): Record<string, string> {
  return Object.fromEntries(
    new Headers(headers.map(([name, value]): [string, string] => [name, value])),
  );
}
