import { lookup } from "node:dns/promises";
import { lstat, unlink } from "node:fs/promises";
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from "node:net";
import { type Endpoint, renderEndpoint } from "./endpoint.ts";
import { EndpointError } from "./errors.ts";

/** A bound endpoint. */
export interface Listener {
  /** Where it listens, with the real port. */
  readonly endpoint: Endpoint;
  /** Stops taking connections; those taken are not touched. */
  close(): Promise<void>;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use; choose another or end the program that holds it",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user may not listen there",
  ENOTFOUND: "the host name cannot be resolved",
  ENOENT: "the folder of the path does not exist",
};

/** Dead front ends behind a cut network are noticed after some minutes instead of never. */
const KEEP_ALIVE_MILLISECONDS = 60_000;

/**
 * Listens on an endpoint.
 *
 * @param onSocket Called for each connection.
 * @throws EndpointError where the endpoint cannot be bound.
 */
export async function listen(
  endpoint: Endpoint,
  onSocket: (socket: Socket) => void,
): Promise<Listener> {
  const server = createServer({ noDelay: true }, (socket) => {
    if (endpoint.kind === "tcp") socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS);
    onSocket(socket);
  });
  try {
    return endpoint.kind === "tcp"
      ? await listenTcp(server, endpoint.host, endpoint.port)
      : await listenIpc(server, endpoint.path);
  } catch (error) {
    if (error instanceof EndpointError) throw error;
    const code = codeOf(error);
    const reason = REASONS[code] ?? String(error);
    throw new EndpointError(renderEndpoint(endpoint), reason, code, { cause: error });
  }
}

async function listenTcp(server: Server, host: string, port: number): Promise<Listener> {
  if (host === "*") await bindEverywhere(server, port);
  else await bind(server, { host: await resolveHost(host), port });
  // A bound TCP server always has an AddressInfo; the string form is that of ipc.
  const address = server.address() as AddressInfo;
  return {
    endpoint: { kind: "tcp", host, port: address.port },
    close: () => closeServer(server),
  };
}

/** `::` takes IPv4 as well where the machine has IPv6 at all. */
async function bindEverywhere(server: Server, port: number): Promise<void> {
  try {
    await bind(server, { host: "::", port });
  } catch (error) {
    if (!["EAFNOSUPPORT", "EADDRNOTAVAIL", "EINVAL"].includes(codeOf(error))) throw error;
    await bind(server, { host: "0.0.0.0", port });
  }
}

/** IPv4 first: libzmq's clients resolve names to IPv4 unless told otherwise. */
async function resolveHost(host: string): Promise<string> {
  if (host === "localhost") return "127.0.0.1";
  const addresses = await lookup(host, { all: true });
  return (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? host;
}

async function listenIpc(server: Server, path: string): Promise<Listener> {
  try {
    await bind(server, { path });
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    await removeStale(path);
    await bind(server, { path });
  }
  const { ino } = await lstat(path);
  return {
    endpoint: { kind: "ipc", path },
    close: async () => {
      await closeServer(server);
      await removeOwn(path, ino);
    },
  };
}

/** A kernel that was killed leaves its socket file behind: nobody answers on it. */
async function removeStale(path: string): Promise<void> {
  const endpoint = renderEndpoint({ kind: "ipc", path });
  const status = await lstat(path);
  if (!status.isSocket()) {
    throw new EndpointError(endpoint, "a file that is not a socket is there", "EADDRINUSE");
  }
  if (await answers(path)) {
    throw new EndpointError(endpoint, REASONS["EADDRINUSE"] ?? "", "EADDRINUSE");
  }
  await unlink(path);
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

/** Another kernel may have taken the path meanwhile; its file stays. */
async function removeOwn(path: string, ino: number): Promise<void> {
  try {
    const status = await lstat(path);
    if (status.ino === ino) await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function bind(
  server: Server,
  options: { host: string; port: number } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(error);
    server.once("error", onError);
    server.listen({ ...options, backlog: 511 }, () => {
      server.off("error", onError);
      // A failed accept (no file descriptors left, say) is no reason to stop serving the others.
      server.on("error", () => undefined);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  // `close` waits for the connections as well; listening stops at once.
  server.close();
  return Promise.resolve();
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
