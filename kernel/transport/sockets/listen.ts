import { lookup } from "node:dns/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { bind, closeServer, codeOf, type Listener, toEndpointError } from "./bind.ts";
import type { Endpoint } from "./endpoint.ts";
import { listenIpc } from "./listen-ipc.ts";

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
    throw toEndpointError(endpoint, error);
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
