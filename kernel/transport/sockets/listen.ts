import { lookup } from "node:dns/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { bind, codeOf, type Listener, toEndpointError } from "./bind.ts";
import type { Endpoint } from "./endpoint.ts";
import { listenIpc } from "./listen-ipc.ts";

/** So that a peer whose network is cut is noticed after some minutes. */
const KEEP_ALIVE_MILLISECONDS = 60_000;

/**
 * Listens on an endpoint.
 *
 * @param onSocket Called for each connection.
 * @throws EndpointError if the endpoint cannot be bound.
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
    // Does not wait: `close` would call back only when every connection has ended.
    close: async () => void server.close(),
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
