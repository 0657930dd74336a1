import type { PeerCertificate, TLSSocket } from "node:tls";
import { hostOf, openSocket, type Route } from "./connection.ts";
import { MAX_NAME, nameOf } from "./connection-details.ts";

/** Milliseconds to wait for a certificate that is only explained. */
const PATIENCE = 2000;

/**
 * Adds the certificate of the server to the error of a handshake in which it was not accepted, as `certificate`. The
 * error has none, so it is read from a second handshake, which shows and sends nothing of the client's.
 */
export async function addCertificate(error: Error, url: URL, route: Route): Promise<void> {
  const { code = "", isOfProxy } = error as Error & { code?: string; isOfProxy?: boolean };
  const isRefused = /CERT|SELF_SIGNED|UNABLE_TO_/.test(code) && !code.includes("ALERT");
  if (!isRefused || isOfProxy) return;
  const { servername } = route.tls;
  const tls = {
    ...(servername === undefined ? {} : { servername }),
    rejectUnauthorized: false,
  } as const;
  const opening = openSocket(url, { ...route, tls });
  const closing = opening.then(
    (socket) => {
      const shown = (socket as TLSSocket).getPeerCertificate();
      socket.destroy();
      return shown;
    },
    () => undefined,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  const shown = await Promise.race([closing, limit]);
  clearTimeout(timer);
  if (shown?.subject === undefined) return;
  Object.assign(error, { certificate: describe(shown, servername ?? hostOf(url)) });
}

function describe(shown: PeerCertificate, host: string): object {
  const { subject, issuer, subjectaltname = "", valid_from: from, valid_to: to } = shown;
  return {
    host,
    names: subjectaltname
      .split(/, */)
      .filter((name) => name !== "")
      .map((name) => name.replace(/^(?:DNS|IP Address):/, "").slice(0, MAX_NAME)),
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validFrom: new Date(from),
    validTo: new Date(to),
  };
}
