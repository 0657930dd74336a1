import process from "node:process";
import type {
  ConnectionOptions,
  DocumentFrame,
  Fetch,
  FileWriter,
  GrowingFile,
  LimitTime,
  RedirectListener,
  SecretSource,
  WebSocketLike,
  WebSocketRequest,
} from "../../lib/mod.ts";
import { createSecretSource } from "../../lib/mod.ts";
import { createConnect } from "./fetch.ts";
import { limitTime } from "./limit-time.ts";
import { openWebSocket } from "./open-web-socket.ts";
import { permittedEnvironment } from "./proxy.ts";
import { type OpenedFile, openFile, readFile } from "./read-file.ts";
import { listenForRedirect } from "./redirect-listener.ts";
import { SecretPrograms } from "./secret-source.ts";
import { openFileForWriting, openGrowingFile, writeFile } from "./write-file.ts";

/**
 * What a client needs of Node, Deno and Bun: files, WebSockets, proxies, certificates, HTTP/2.
 * The library itself uses only `fetch`, so that it also runs in browsers.
 *
 * ```ts
 * import { createClient } from "restlab";
 * import { platform } from "restlab/platform";
 *
 * const lab = createClient({ ...platform, connection: { ca: "./authority.pem", http2: true } });
 * ```
 *
 * @module
 */

export type {
  ConnectionOptions as Connection,
  DocumentFrame,
  Fetch,
  FileWriter as FileBeingWritten,
  GrowingFile,
  LimitTime,
  OpenedFile,
  RedirectListener,
  SecretSource,
  WebSocketLike as OpenedSocket,
  WebSocketRequest as Handshake,
};

/** Options of `createClient` for what `fetch` cannot do. */
export interface PlatformOptions {
  /**
   * Creates a fetch over `node:http` and `node:http2`, for the option `connection`: proxy, certificates, protocol. The
   * proxies of `HTTP_PROXY` and the like apply without any option.
   */
  readonly connect: (connection?: ConnectionOptions) => Fetch;
  /** Reads a file, for bodies, environments and certificates. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** Opens a file for streaming. */
  readonly openFile: (path: string) => Promise<OpenedFile>;
  /** Writes a file, for `save`. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Opens the file of a download. */
  readonly openFileForWriting: (
    path: string,
    options: { readonly replace: boolean; readonly resume?: boolean | undefined },
  ) => Promise<FileWriter>;
  /** Opens the file of `record`. */
  readonly openGrowingFile: (path: string, frame: DocumentFrame) => GrowingFile;
  /** Opens WebSockets, with headers and through proxies. */
  readonly openWebSocket: (url: string, request: WebSocketRequest) => Promise<WebSocketLike>;
  /** Ends the regular expressions of assertions that backtrack without end. */
  readonly limitTime: LimitTime;
  /** Listens on loopback for the redirect of a login in a browser. */
  readonly listenForRedirect: (redirectUri?: string, state?: string) => Promise<RedirectListener>;
  /** The environment of the process, for `{{$env.NAME}}`. */
  readonly processEnv: Readonly<Record<string, string | undefined>>;
  /** Asks the programs of this machine for the secrets that references such as `op://Private/api/token` name. */
  readonly secretSource: SecretSource;
}

/** The options for the runtime of this process. Relative paths start at the working folder. */
export const platform: PlatformOptions = {
  connect: (connection) => createConnect(permittedEnvironment())(connection),
  readFile,
  openFile,
  writeFile,
  openFileForWriting,
  openGrowingFile,
  openWebSocket,
  limitTime,
  listenForRedirect,
  processEnv: process.env,
  secretSource: createSecretSource(new SecretPrograms({ environment: process.env }).in(".")),
};
