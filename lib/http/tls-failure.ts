import type { NoResponseCode } from "../exchange/mod.ts";

/** A network failure in words. */
export interface Failure {
  readonly code: NoResponseCode;
  /** What happened, to be put after a colon. */
  readonly what: string;
  /** What to do. */
  readonly advice: string;
}

/** A failure that codes and messages of errors tell. */
export interface FailureRow extends Failure {
  readonly pattern: RegExp;
}

/** The certificate that a server has shown and that was not accepted: `certificate` of the error. */
export interface ShownCertificate {
  /** The name or address that it should be for. */
  readonly host: string;
  /** What it is for: names, names with `*`, addresses. */
  readonly names: readonly string[];
  readonly subject: string;
  readonly issuer: string;
  /** The first and the last moment of its validity; invalid dates if it does not say. */
  readonly validFrom: Date;
  readonly validTo: Date;
}

const TRUST =
  "set the option connection.ca, or NODE_EXTRA_CA_CERTS; in a curl command write --cacert FILE, or -k to accept any certificate";
const ACCEPT = "to accept it nevertheless set connection.insecure, or -k in a curl command";
const CLIENT_CERTIFICATE =
  "Set connection.clientCertificate, or --cert and --key in a curl command";

/**
 * Codes and messages of `node:tls` on Node, Deno and Bun, and of their fetch. The alerts (RFC 8446, 6.2) are those that
 * the server has sent, so certificates in them are the client's.
 */
export const TLS_ROWS: readonly FailureRow[] = [
  {
    pattern: /CERTIFICATE_REQUIRED|certificate required|CertificateRequired/,
    code: "certificate",
    what: "the server requires a client certificate",
    advice: CLIENT_CERTIFICATE,
  },
  {
    pattern: /ALERT_UNKNOWN_CA|alert unknown ca|fatal alert: UnknownCA/,
    code: "certificate",
    what: "the server does not trust the authority of the client certificate (unknown ca)",
    advice: "Use a certificate of an authority that the server trusts",
  },
  {
    pattern:
      /ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_|ACCESS_DENIED)|alert (?:bad|unsupported) certificate|alert certificate |alert access denied|fatal alert: (?:\w*Certificate|AccessDenied)/,
    code: "certificate",
    what: "the server refused the client certificate",
    advice: "Check that it is valid now, and that the server accepts it",
  },
  {
    pattern: /ALERT_PROTOCOL_VERSION|alert protocol version|ProtocolVersion|UNSUPPORTED_PROTOCOL/,
    code: "tls",
    what: "the server does not speak TLS 1.2 or 1.3",
    advice: "Have it updated: older versions are not safe, and are off in this runtime",
  },
  {
    pattern: /ALERT_UNRECOGNIZED_NAME|unrecognized name|UnrecognisedName/i,
    code: "tls",
    what: "the server knows no host of this name",
    advice: "Check the host of the URL, or set connection.servername",
  },
  {
    pattern: /ALERT_HANDSHAKE_FAILURE|alert handshake failure|HandshakeFailure/,
    code: "tls",
    what: "the server ended the TLS handshake (handshake failure)",
    advice: `It may require a client certificate, or other ciphers. ${CLIENT_CERTIFICATE}`,
  },
  {
    pattern:
      /WRONG_VERSION_NUMBER|wrong version number|InvalidContentType|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|packet length too long/i,
    code: "tls",
    what: "the server does not use TLS on this port",
    advice: "Use the port of HTTPS, or write http://",
  },
  {
    pattern: /CERT_HAS_EXPIRED|certificate has expired|certificate expired/i,
    code: "certificate",
    what: "the certificate of the server has expired",
    advice: `Have it renewed; ${ACCEPT}`,
  },
  {
    pattern: /CERT_NOT_YET_VALID|not yet valid|NotValidYet/i,
    code: "certificate",
    what: "the certificate of the server is not valid yet",
    advice: `Check the clock of this machine; ${ACCEPT}`,
  },
  {
    pattern: /ALTNAME|NotValidForName|does not match certificate/i,
    code: "certificate",
    what: "the certificate of the server is for another host",
    advice: `Use a name that it is for, or set connection.servername to one; ${ACCEPT}`,
  },
  {
    pattern: /CERT_REVOKED|certificate revoked/i,
    code: "certificate",
    what: "the certificate of the server was revoked",
    advice: "Do not use this server before it has another one",
  },
  {
    pattern: /DEPTH_ZERO_SELF_SIGNED/,
    code: "certificate",
    what: "the certificate of the server is self-signed, and not trusted",
    advice: `Trust it: ${TRUST}`,
  },
  {
    pattern:
      /SELF_SIGNED|CERT_|_CERT|UNABLE_TO_VERIFY|self[- ]signed|invalid peer certificate|UnknownIssuer/,
    code: "certificate",
    what: "the certificate of the server is not trusted",
    advice: `Trust its certificate authority: ${TRUST}`,
  },
  {
    // Node; Bun; Deno
    pattern: /ERR_SSL|SSL routines|EPROTO|received corrupt message|handshake/i,
    code: "tls",
    what: "the TLS handshake failed",
    advice: "Check that the server uses HTTPS on this port, or write http://",
  },
];

/**
 * Says what is wrong with a certificate, from what it says itself: Deno calls each
 * one that it does not accept unknown, Bun a self-signed one.
 *
 * @param failure What the error tells.
 * @param now The time to compare its validity with.
 */
export function certificateFailure(
  failure: Failure,
  certificate: ShownCertificate,
  now: Date = new Date(),
): Failure {
  const { host, names, subject, issuer, validFrom, validTo } = certificate;
  const words = (code: string): FailureRow | undefined =>
    TLS_ROWS.find(({ pattern }) => pattern.test(code));
  const known = (code: string, detail: string): Failure => {
    const { what, advice } = words(code) ?? failure;
    return { code: "certificate", what: `${what}${detail}`, advice };
  };
  if (validTo < now) return known("CERT_HAS_EXPIRED", `, it was valid until ${day(validTo)}`);
  if (validFrom > now) return known("CERT_NOT_YET_VALID", `, but from ${day(validFrom)}`);
  if (failure.what === words("ALTNAME")?.what) {
    const listed = names.length === 0 ? `"${subject}", which is no name to compare` : list(names);
    return known("ALTNAME", `, ${listed}, not for ${host}`);
  }
  if (failure.what !== words("CERT_")?.what) return failure;
  if (issuer === subject) return known("DEPTH_ZERO_SELF_SIGNED", "");
  return known("CERT_", `, its issuer is "${issuer}"`);
}

const MOST_NAMES = 5;

function list(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
