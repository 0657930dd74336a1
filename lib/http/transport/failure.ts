import type { NoResponseCode } from "../../exchange/mod.ts";
import { BodyError } from "../request/bodies/mod.ts";

/** What a failure of the network means, in words. */
export interface Failure {
  readonly code: NoResponseCode;
  /** What happened, to follow a colon. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
}

interface Row extends Failure {
  readonly pattern: RegExp;
}

/**
 * What the runtimes say when no response comes, observed with Node 20.20 (its client and undici: codes), Deno 2.9
 * (hyper and rustls: texts alone) and Bun 1.4 (codes and texts). The first row that fits holds.
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
    what: "the proxy did not let it through",
    advice:
      "Check the proxy, and write name and password into its URL: http://user:password@host:port",
  },
  {
    pattern: /ECONNREFUSED|connection refused/i,
    code: "refused",
    what: "the connection was refused",
    advice: "Check that a server is running there and that the port is right",
  },
  {
    // Node; Deno. Bun connects to such ports.
    pattern: /bad port|requests to port \d+ are blocked/i,
    code: "not-permitted",
    what: "fetch blocks this port",
    advice: "Let the server listen on another port, such as 8080",
  },
  {
    // Deno
    pattern: /NotCapable|PermissionDenied|Requires net access/,
    code: "not-permitted",
    what: "the runtime has no permission to use the network",
    advice: "Start it with permission, for Deno --allow-net",
  },
  {
    // Node and Bun; Deno
    pattern:
      /SELF_SIGNED|CERT_|_CERT|UNABLE_TO_VERIFY|self[- ]signed|invalid peer certificate|UnknownIssuer/,
    code: "certificate",
    what: "the certificate of the server is not trusted",
    advice:
      "Add its authority to the trusted ones: the option connection.ca, or NODE_EXTRA_CA_CERTS for Node and Bun, DENO_CERT for Deno",
  },
  {
    // Node; Bun; Deno
    pattern: /ERR_SSL|SSL routines|EPROTO|received corrupt message|handshake/i,
    code: "tls",
    what: "no secure connection could be agreed on",
    advice: "Check that the server speaks HTTPS on this port, or write http://",
  },
  {
    pattern: /_CONNECT_TIMEOUT|ETIMEDOUT|_HEADERS_TIMEOUT|_BODY_TIMEOUT|timed? ?out/i,
    code: "timed-out",
    what: "the connection timed out",
    advice: "Check the network and that the server answers",
  },
  {
    // Node (zlib); Bun; Deno
    pattern:
      /Z_DATA_ERROR|Z_BUF_ERROR|ERR__?BROTLI|ERR_BROTLI|ZlibError|DecompressionError|gzip header|unexpected end of file|corrupt/i,
    code: "decompression",
    what: "the body could not be decompressed",
    advice: "Send Accept-Encoding: identity to get it uncompressed",
  },
  {
    // Node: folded over lines, without a name, a blank before the colon
    pattern: /HPE_INVALID_HEADER_TOKEN|Invalid header token/,
    code: "protocol",
    what: "a header of the response is malformed",
    advice: "Look at it with curl -i: each has to stand on one line, as Name: value",
  },
  {
    // Node (also for 101 unasked); Bun; Deno
    pattern:
      /HPE_|does not match the HTTP|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW|ERR_ASSERTION|bad upgrade|UnrequestedUpgrade|Malformed_|Invalid(?:HTTP|Content|Chunk)|invalid (?:HTTP|content-length|chunk)|TooManyHeaders|message head is too large/i,
    code: "protocol",
    what: "what came back is not an HTTP response",
    advice: "Check that the port belongs to an HTTP server, and whether it wants https://",
  },
  {
    // Node and Bun; Node; Deno
    pattern:
      /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|connection (?:reset|closed|error)|error reading a body|broken pipe/i,
    code: "reset",
    what: "the server closed the connection without a response",
    advice: "Look into the log of the server, or send the request again",
  },
  {
    pattern: /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|unreachable|no route to host/i,
    code: "unreachable",
    what: "the host cannot be reached from here",
    advice: "Check the address and the network",
  },
];

/** Says what a failure of fetch means, from the errors that a runtime chained to it. */
export function explainFailure(cause: unknown): Failure {
  if (cause instanceof BodyError) {
    return {
      code: "body",
      what: `its body could not be sent, ${cause.message}`,
      advice: "Check the file that it comes from",
    };
  }
  const clues = cluesOf(cause);
  const row = ROWS.find(({ pattern }) => pattern.test(clues.join("\n")));
  if (row) return { code: row.code, what: row.what, advice: row.advice };
  const last = clues.at(-1) ?? "nothing is known of the reason";
  return { code: "unreachable", what: last, advice: "Check the address and the network" };
}

/** The codes and messages of an error, of its causes and of errors gathered in it. */
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
