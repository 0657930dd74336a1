import { lookup } from "node:dns/promises";
import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from "node:net";
import { dirname } from "node:path";
import {
  checkLength,
  type Endpoint,
  EndpointError,
  parseEndpoint,
  renderEndpoint,
} from "./endpoint.ts";

/** A bound endpoint. */
export interface Listener {
  /** With the port that was assigned. */
  readonly endpoint: Endpoint;
  /** Stops accepting connections; open ones stay open. Does not wait for them. */
  close(): void;
}

const IN_USE = "the address is in use; choose another, or stop the program that uses it";
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: IN_USE,
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user has no permission to listen there",
  ENOTFOUND: "the host name cannot be resolved",
};
const NO_FOLDER = "the folder of the path does not exist or may not be written to";

/** Explains why an endpoint cannot be bound. */
function toEndpointError(endpoint: Endpoint, error: unknown): EndpointError {
  if (error instanceof EndpointError) return error;
  const code = codeOf(error);
  // libuv reports EACCES for a missing folder as well.
  const noFolder = endpoint.kind === "ipc" && ["EACCES", "ENOENT"].includes(code);
  const reason = noFolder ? NO_FOLDER : (REASONS[code] ?? String(error));
  return new EndpointError(renderEndpoint(endpoint), reason, code, { cause: error });
}

/** Binds a server; rejects with the system's error. */
function bind(
  server: Server,
  options: { host: string; port: number } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(error);
    server.once("error", onError);
    server.listen({ ...options, backlog: 511 }, () => {
      server.off("error", onError);
      // A failed accept, for example without file descriptors, must not end the process.
      server.on("error", () => undefined);
      resolve();
    });
  });
}

/** The system's code of an error, or an empty string. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** So that a peer whose network is cut is noticed after some minutes. */
const KEEP_ALIVE_MILLISECONDS = 60_000;

/**
 * Listens on an endpoint.
 *
 * @param text As `parseEndpoint` takes it.
 * @param onSocket Called for each connection.
 * @throws EndpointError if the endpoint cannot be bound.
 */
export async function listen(text: string, onSocket: (socket: Socket) => void): Promise<Listener> {
  const endpoint = parseEndpoint(text);
  const server = createServer({ noDelay: true }, (socket) => {
    if (endpoint.kind === "tcp") socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS);
    onSocket(socket);
  });
  try {
    return endpoint.kind === "tcp"
      ? await listenTcp(server, endpoint.host, endpoint.port)
      : await listenIpc(server, endpoint.path);
  } catch (error) {
    throw toEndpointError(endpoint, error);
  }
}

async function listenTcp(server: Server, host: string, port: number): Promise<Listener> {
  if (host === "*") await bindEverywhere(server, port);
  else await bind(server, { host: await resolveHost(host), port });
  // A TCP server that listens always has an AddressInfo.
  const address = server.address() as AddressInfo;
  return {
    endpoint: { kind: "tcp", host, port: address.port },
    close: () => void server.close(),
  };
}

/** `::` accepts IPv4 as well, on a machine that has IPv6. */
async function bindEverywhere(server: Server, port: number): Promise<void> {
  try {
    await bind(server, { host: "::", port });
  } catch (error) {
    if (!["EAFNOSUPPORT", "EADDRNOTAVAIL", "EINVAL"].includes(codeOf(error))) throw error;
    await bind(server, { host: "0.0.0.0", port });
  }
}

/** IPv4 first: libzmq's clients resolve names to IPv4 by default. */
async function resolveHost(host: string): Promise<string> {
  if (host === "localhost") return "127.0.0.1";
  const addresses = await lookup(host, { all: true });
  return (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? host;
}

/**
 * Listens on a socket file that only its owner may use, and removes it in the end. A stale socket
 * file is replaced.
 */
async function listenIpc(server: Server, path: string): Promise<Listener> {
  await removeStale(path);
  await bindPrivately(server, path);
  return {
    endpoint: { kind: "ipc", path },
    close: () => {
      server.close();
      rmSync(path, { force: true });
    },
  };
}

/**
 * Binds in a private folder and renames the file once its mode is set: between `bind` and `chmod` it has
 * the mode that the umask leaves, and a worker cannot set the umask.
 */
async function bindPrivately(server: Server, path: string): Promise<void> {
  const folder = mkdtempSync(`${dirname(path)}/.`);
  const hidden = `${folder}/s`;
  try {
    checkLength(hidden);
    await bind(server, { path: hidden });
    // Nothing is awaited from here on: peers connect as soon as the file has its name.
    chmodSync(hidden, 0o600);
    renameSync(hidden, path);
  } catch (error) {
    if (server.listening) server.close();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A kernel that was killed leaves its socket file, which refuses connections. */
async function removeStale(path: string): Promise<void> {
  try {
    const status = await lstat(path);
    if (!status.isSocket()) throw inUse(path, "a file that is not a socket is there");
    if (await answers(path)) throw inUse(path, IN_USE);
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function inUse(path: string, reason: string): EndpointError {
  return new EndpointError(renderEndpoint({ kind: "ipc", path }), reason, "EADDRINUSE");
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", (error) => resolve(!["ECONNREFUSED", "ENOENT"].includes(codeOf(error))));
  });
}
