/**
 * What a client of the library gets from the runtime, Node, Deno or Bun: files, WebSockets, proxies,
 * certificates, HTTP/2. The library itself has `fetch` alone, so that it runs in browsers as well; on Node
 * the package gives it Node's HTTP client.
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

import process from "node:process";
import type { Connection } from "./connection/mod.ts";
import {
  createConnect,
  createPlatformFetch,
  createProxiedFetch,
  type PlatformFetch,
} from "./connection/mod.ts";
import {
  type FileBeingWritten,
  type OpenedFile,
  openFile,
  openFileForWriting,
  readFile,
  writeFile,
} from "./files/mod.ts";
import { type Handshake, type OpenedSocket, openWebSocket } from "./open-web-socket.ts";
import { listenForRedirect, type RedirectListener } from "./redirect-listener.ts";
import { currentRuntime } from "./runtime/mod.ts";

export type {
  Connection,
  FileBeingWritten,
  Handshake,
  OpenedFile,
  OpenedSocket,
  PlatformFetch,
  RedirectListener,
};

/** Options of `createClient` that reach beyond `fetch`. */
export interface PlatformOptions {
  /** Makes a fetch for the option `connection`: proxy, certificates, protocol. */
  readonly connect: (connection: Connection) => Promise<typeof fetch>;
  /** Follows `HTTP_PROXY` and its kin; there where the runtime's own fetch does not and one is named. */
  readonly fetch?: typeof fetch;
  /** Sends what the runtime's fetch is slow at, or cannot; not on Deno, nor where a proxy is named. */
  readonly platformFetch?: PlatformFetch;
  /** Reads a file, for bodies, environments and certificates. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** Opens a file to be streamed. */
  readonly openFile: (path: string) => Promise<OpenedFile>;
  /** Writes a file, for `save`. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Opens the file of a download. */
  readonly openFileForWriting: (
    path: string,
    options: { readonly replace: boolean },
  ) => Promise<FileBeingWritten>;
  /** Opens WebSockets, with headers and by way of proxies; Node 20 has none of its own. */
  readonly openWebSocket: (url: string, request: Handshake) => Promise<OpenedSocket>;
  /** Waits on loopback for a browser to come back from a login. */
  readonly listenForRedirect: (redirectUri?: string, state?: string) => Promise<RedirectListener>;
  /** The environment of the process, for `{{$env.NAME}}`. */
  readonly processEnv: Readonly<Record<string, string | undefined>>;
}

/** What the runtime of this process offers. Files start at the working folder. */
export const platform: PlatformOptions = createPlatformOptions();

function createPlatformOptions(): PlatformOptions {
  const runtime = currentRuntime();
  const proxied = createProxiedFetch(runtime, process.env);
  const platformFetch = createPlatformFetch(runtime, process.env);
  return {
    connect: createConnect(runtime, process.env),
    ...(proxied === undefined ? {} : { fetch: proxied }),
    ...(platformFetch === undefined ? {} : { platformFetch }),
    readFile,
    openFile,
    writeFile,
    openFileForWriting,
    openWebSocket,
    listenForRedirect,
    processEnv: process.env,
  };
}
