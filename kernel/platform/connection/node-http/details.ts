import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TlsDetails } from "../../../../lib/mod.ts";

/** The property in which the library looks for the details of a response. */
const DETAILS = Symbol.for("restlab.connection-details");

/** TLS does not change while a connection lives, and reading the certificate takes a while. */
const known = new WeakMap<object, TlsDetails | undefined>();

type Times = { dns?: number; connect?: number; tls?: number };

/**
 * Observes the connection of a request.
 *
 * @returns A function that adds its details to the response, when that has begun.
 */
export function observeConnection(
  outgoing: ClientRequest,
): (response: Response, socket: Socket) => Response {
  const start = performance.now();
  const times: Times = {};
  outgoing.once("socket", (socket: Socket) => {
    // A reused socket has emitted these events before.
    if (outgoing.reusedSocket) return;
    const note = (name: keyof Times) => () => {
      times[name] = performance.now() - start;
    };
    socket.once("lookup", note("dns"));
    socket.once("connect", note("connect"));
    socket.once("secureConnect", note("tls"));
  });
  return (response, socket) => {
    const firstByte = performance.now() - start;
    const { remoteAddress = "", remotePort } = socket;
    const host = remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress;
    const tls = tlsOf(socket);
    const details = {
      address: remotePort === undefined ? host : `${host}:${remotePort}`,
      isReused: outgoing.reusedSocket,
      ...(tls === undefined ? {} : { tls }),
      times: { ...times, firstByte },
    };
    return Object.defineProperty(response, DETAILS, { value: details });
  };
}

function tlsOf(socket: Socket): TlsDetails | undefined {
  if (!("getProtocol" in socket)) return undefined;
  if (!known.has(socket)) known.set(socket, readTls(socket as TLSSocket));
  return known.get(socket);
}

function readTls(socket: TLSSocket): TlsDetails | undefined {
  const version = socket.getProtocol();
  if (version === null) return undefined;
  const details = { version, cipher: socket.getCipher().standardName };
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
  if (subject === undefined) return details;
  const names = { subject: nameOf(subject), issuer: nameOf(issuer) };
  return { ...details, certificate: { ...names, validTo } };
}

function nameOf({ CN, O }: { readonly CN?: unknown; readonly O?: unknown }): string {
  return String(CN ?? O ?? "");
}
