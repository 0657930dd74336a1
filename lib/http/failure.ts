import { type NoResponseCode, NotRecordedError } from "../exchange/mod.ts";
import { BodyError } from "./streamed-body.ts";

/** A network failure in words. */
export interface Failure {
  readonly code: NoResponseCode;
  /** What happened, to be put after a colon. */
  readonly what: string;
  /** What to do. */
  readonly advice: string;
}

interface Row extends Failure {
  readonly pattern: RegExp;
}

/**
 * Codes and messages of failed requests, observed with Node 20.20 (codes of `node:http` and undici), Deno 2.9 (only
 * messages, of hyper and rustls) and Bun 1.4 (codes and messages). The first matching row applies.
 */
const ROWS: readonly Row[] = [
  {
    // Node and Bun; Deno
    pattern: /ENOTFOUND|EAI_AGAIN|dns error|failed to lookup address/,
    code: "name-not-resolved",
    what: "the host name could not be resolved",
    advice: "Check the spelling of the host and the network",
  },
  {
    // Node; Bun; Deno
    pattern: /Proxy Authentication Required|ERR_PROXY|HTTP Tunneling/i,
    code: "proxy",
    what: "the proxy refused it",
    advice:
      "Check the proxy, and put user name and password in its URL: http://user:password@host:port",
  },
  {
    pattern: /ECONNREFUSED|connection refused/i,
    code: "refused",
    what: "the connection was refused",
    advice: "Check that the server is running and that the port is correct",
  },
  {
    // Node; Deno. Bun connects to such ports.
    pattern: /bad port|requests to port \d+ are blocked/i,
    code: "not-permitted",
    what: "fetch blocks this port",
    advice: "Run the server on another port, such as 8080",
  },
  {
    // Deno
    pattern: /NotCapable|PermissionDenied|Requires net access/,
    code: "not-permitted",
    what: "the runtime has no permission to use the network",
    advice: "Grant it, in Deno with --allow-net",
  },
  {
    // Node and Bun; Deno
    pattern:
      /SELF_SIGNED|CERT_|_CERT|UNABLE_TO_VERIFY|self[- ]signed|invalid peer certificate|UnknownIssuer/,
    code: "certificate",
    what: "the certificate of the server is not trusted",
    advice:
      "Trust its certificate authority: set the option connection.ca, or NODE_EXTRA_CA_CERTS for Node and Bun, DENO_CERT for Deno",
  },
  {
    // Node; Bun; Deno
    pattern: /ERR_SSL|SSL routines|EPROTO|received corrupt message|handshake/i,
    code: "tls",
    what: "the TLS handshake failed",
    advice: "Check that the server uses HTTPS on this port, or write http://",
  },
  {
    pattern: /_CONNECT_TIMEOUT|ETIMEDOUT|_HEADERS_TIMEOUT|_BODY_TIMEOUT|timed? ?out/i,
    code: "timed-out",
    what: "the connection timed out",
    advice: "Check the network and that the server responds",
  },
  {
    // Node (zlib); Bun; Deno
    pattern:
      /Z_DATA_ERROR|Z_BUF_ERROR|ERR__?BROTLI|ERR_BROTLI|ZlibError|DecompressionError|gzip header|unexpected end of file|corrupt/i,
    code: "decompression",
    what: "the body could not be decompressed",
    advice: "Send Accept-Encoding: identity to receive it uncompressed",
  },
  {
    // Node: a folded line, no name, a space before the colon
    pattern: /HPE_INVALID_HEADER_TOKEN|Invalid header token/,
    code: "protocol",
    what: "a header of the response is malformed",
    advice: "Inspect the response with curl -i: each header must be one line, Name: value",
  },
  {
    // Node (also for an unexpected 101); Bun; Deno
    pattern:
      /HPE_|does not match the HTTP|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW|ERR_ASSERTION|bad upgrade|UnrequestedUpgrade|Malformed_|Invalid(?:HTTP|Content|Chunk)|invalid (?:HTTP|content-length|chunk)|TooManyHeaders|message head is too large/i,
    code: "protocol",
    what: "the response is not valid HTTP",
    advice: "Check that the port is that of an HTTP server, and whether it requires https://",
  },
  {
    // Node and Bun; Node; Deno
    pattern:
      /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|connection (?:reset|closed|error)|error reading a body|broken pipe/i,
    code: "reset",
    what: "the server closed the connection without a response",
    advice: "Check the log of the server, or send the request again",
  },
  {
    pattern: /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|unreachable|no route to host/i,
    code: "unreachable",
    what: "the host is unreachable",
    advice: "Check the address and the network",
  },
];

/** Explains a failure of fetch from the chain of errors that the runtime throws. */
export function explainFailure(cause: unknown): Failure {
  if (cause instanceof BodyError) {
    return {
      code: "body",
      what: `its body could not be sent, ${cause.message}`,
      advice: "Check the file of the body",
    };
  }
  if (cause instanceof NotRecordedError) {
    return { code: "not-recorded", what: cause.message, advice: cause.advice };
  }
  const clues = cluesOf(cause);
  const row = ROWS.find(({ pattern }) => pattern.test(clues.join("\n")));
  if (row) return { code: row.code, what: row.what, advice: row.advice };
  const last = clues.at(-1) ?? "the reason is unknown";
  return { code: "unreachable", what: last, advice: "Check the address and the network" };
}

/** The names, codes and messages of an error, its causes and its aggregated errors. */
function cluesOf(error: unknown, depth = 0): string[] {
  if (depth > 5 || error === undefined || error === null) return [];
  if (typeof error !== "object") return [String(error)];
  const { name, code, message, cause, errors } = error as Record<string, unknown>;
  return [
    ...[name, code, message].filter((clue) => typeof clue === "string" && clue !== ""),
    ...(Array.isArray(errors) ? errors.flatMap((one) => cluesOf(one, depth + 1)) : []),
    ...cluesOf(cause, depth + 1),
  ] as string[];
}
