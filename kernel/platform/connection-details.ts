import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ConnectionDetails, TlsDetails } from "../../lib/mod.ts";

type Times = { dns?: number; connect?: number; tls?: number };

/** When each step of opening a socket was done, as of `performance.now()`. */
const opened = new WeakMap<object, Times>();

/** Notes when the steps of opening a new socket are done. */
export function watchOpening<S extends Socket>(socket: S): S {
  const times: Times = {};
  const note = (name: "dns" | "connect" | "tls") => () => {
    times[name] = performance.now();
  };
  socket.once("lookup", note("dns"));
  socket.once("connect", note("connect"));
  socket.once("secureConnect", note("tls"));
  opened.set(socket, times);
  return socket;
}

/**
 * The address, TLS and the times of a connection whose response has begun.
 *
 * @param start When the request was passed to the transport, from `performance.now()`.
 */
export function describeSocket(
  socket: Socket,
  start: number,
  isReused: boolean,
): Pick<ConnectionDetails, "address" | "isReused" | "tls" | "times"> {
  const { remoteAddress = "", remotePort } = socket;
  const host = remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress;
  const tls = tlsOf(socket);
  const steps = isReused ? {} : (opened.get(socket) ?? {});
  return {
    address: remotePort === undefined ? host : `${host}:${remotePort}`,
    isReused,
    ...(tls === undefined ? {} : { tls }),
    times: {
      ...Object.fromEntries(Object.entries(steps).map(([name, at]) => [name, at - start])),
      firstByte: performance.now() - start,
    },
  };
}

/** TLS does not change while a connection lives, and reading the certificate takes a while. */
const known = new WeakMap<object, TlsDetails | undefined>();

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

/** Characters of a name of a certificate that are kept. */
export const MAX_NAME = 100;

/** The name of the subject or the issuer of a certificate. */
export function nameOf({ CN, O }: { readonly CN?: unknown; readonly O?: unknown }): string {
  return String(CN ?? O ?? "").slice(0, MAX_NAME);
}
