import {
  contentOf,
  type Exchange,
  learnAnswer,
  type NoResponseCode,
  NoResponseError,
  type Redirect,
  type SentRequest,
  UnansweredError,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { BodyError } from "./body-out.ts";
import type { Stop } from "./in-flight.ts";
import { lengthOf } from "./read-body.ts";
import type { RedirectReason } from "./redirects.ts";
import {
  certificateFailure,
  type Failure,
  type FailureRow,
  type ShownCertificate,
  TLS_ROWS,
} from "./tls-failure.ts";

/**
 * Codes and messages of failed requests: of `node:http`, the same on Node, Deno and Bun, and those of the fetch of Node
 * 20.20, Deno 2.9 and Bun 1.4, which a client may use as well. The first matching row applies.
 */
const ROWS: readonly FailureRow[] = [
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
    pattern: /connect ENOENT/,
    code: "refused",
    what: "there is no such socket",
    advice: "Check its path, and that the server is running",
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
    pattern: /NGHTTP2_(?!REFUSED_STREAM)/,
    code: "protocol",
    what: "the server ended the stream with an error",
    advice: "Check the log of the server, or set connection.http2 to false",
  },
  {
    pattern: /ERR_ALPN|NO_APPLICATION_PROTOCOL/,
    code: "protocol",
    what: "the server does not speak HTTP/2",
    advice: "Set connection.http2 to true: then the server chooses",
  },
  {
    pattern: /HEADERS?_OVERFLOW|message head is too large/,
    code: "protocol",
    what: "the headers of the response are too large",
    advice: "Set connection.maxHeaderSize, which is 16,384 bytes by default",
  },
  ...TLS_ROWS,
  {
    pattern: /_CONNECT_TIMEOUT|ETIMEDOUT|_HEADERS_TIMEOUT|_BODY_TIMEOUT|timed? ?out/i,
    code: "timed-out",
    what: "the connection timed out",
    advice: "Check the network and that the server responds",
  },
  {
    pattern: /Z_BUF_ERROR|unexpected end of file/i,
    code: "decompression",
    what: "the compressed data end too early",
    advice: "The server or a proxy has cut them off: send the request again",
  },
  {
    // Node (zlib); Bun; Deno
    pattern:
      /Z_DATA_ERROR|incorrect (?:header|data) check|ERR__?BROTLI|ERR_BROTLI|ZlibError|DecompressionError|gzip header|corrupt/i,
    code: "decompression",
    what: "the body could not be decompressed",
    advice: "Send Accept-Encoding: identity to receive it uncompressed",
  },
  {
    // No name, a space before the colon, NUL
    pattern: /HPE_INVALID_HEADER_TOKEN|Invalid header token/,
    code: "protocol",
    what: "a header of the response is malformed",
    advice: "Inspect the response with curl -i: each header must be one line, Name: value",
  },
  {
    pattern: /HPE_UNEXPECTED_CONTENT_LENGTH/,
    code: "protocol",
    what: "the response has several headers Content-Length",
    advice: "Inspect the response with curl -i: what does not say where it ends cannot be read",
  },
  {
    pattern: /HPE_(?!INVALID_CONSTANT)/,
    code: "protocol",
    what: "the response is not valid HTTP",
    advice: "Inspect the response with curl -i",
  },
  {
    // Node (also for an unexpected 101); Bun; Deno
    pattern:
      /HPE_|does not match the HTTP|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION|bad upgrade|UnrequestedUpgrade|Malformed_|Invalid(?:HTTP|Content|Chunk)|invalid (?:HTTP|content-length|chunk)|TooManyHeaders/i,
    code: "protocol",
    what: "the response is not valid HTTP",
    advice: "Check that the port is that of an HTTP server, and whether it requires https://",
  },
  {
    // Node and Bun; Node; Deno
    pattern:
      /REFUSED_STREAM|ERR_HTTP2_(?:GOAWAY|INVALID)_SESSION|ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|ERR_SOCKET_CLOSED|connection (?:reset|closed|error)|error reading a body|broken pipe/i,
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
      advice: "Check the file or the stream of the body; bytes can be sent again",
    };
  }
  if (cause instanceof UnansweredError) {
    return { code: cause.code, what: cause.reason, advice: cause.advice };
  }
  if (cause instanceof GivenFetchError) {
    return { code: "unreachable", what: cause.message, advice: "Check the option fetch" };
  }
  const clues = cluesOf(cause);
  // Deno's messages quote the URL, whose path may be `/timeout`.
  const text = clues.join("\n").replace(/\bhttps?:\/\/\S+/gi, "");
  const row = ROWS.find(({ pattern }) => pattern.test(text));
  if (row) {
    const [, fault] = /^Parse Error: (.+)$/m.exec(text) ?? [];
    const what = fault === undefined ? row.what : `${row.what} (${fault})`;
    return detailed({ code: row.code, what, advice: row.advice }, cause);
  }
  const last = clues.at(-1) ?? "the reason is unknown";
  return { code: "unreachable", what: last, advice: "Check the address and the network" };
}

/** The fetch that a client was given has failed by itself, without a network. */
export class GivenFetchError extends Error {}

/** Calls a fetch that a client was given, a mock for example: what is wrong with its answer is said. */
export async function callGivenFetch(call: () => Promise<Response>): Promise<Response> {
  let response: unknown;
  try {
    response = await call();
  } catch (cause) {
    const text = cluesOf(cause).join("\n");
    const isKnown = cause instanceof UnsendableRequestError || cause instanceof UnansweredError;
    if (isKnown || ROWS.some(({ pattern }) => pattern.test(text))) throw cause;
    throw new GivenFetchError(`the fetch of this client has thrown, ${messageOf(cause)}`, {
      cause,
    });
  }
  const { status, headers, type } = Object(response) as Partial<Response>;
  const isResponse = typeof status === "number" && typeof headers?.get === "function";
  if (isResponse && type !== "error") return response as Response;
  const what = isResponse ? "Response.error()" : typeof response;
  const advice = isResponse ? "which says that the network has failed" : "not a Response";
  throw new GivenFetchError(`the fetch of this client has returned ${what}, ${advice}`);
}

/** Failures before a connection is open: through a proxy, it is that to the proxy. */
const BEFORE_CONNECTED: ReadonlySet<NoResponseCode> = new Set([
  "name-not-resolved",
  "refused",
  "timed-out",
  "unreachable",
]);

/** What the platform adds to an error. */
interface Details {
  /** The proxy that the request should go through. */
  readonly proxy?: string;
  /** The status and the reason of its refusal. */
  readonly status?: string;
  /** Whether the connection to the proxy itself failed. */
  readonly isOfProxy?: boolean;
  readonly certificate?: ShownCertificate;
}

/** A failure with what the platform knows of it. */
function detailed(failure: Failure, cause: unknown): Failure {
  const { proxy, status, isOfProxy = false, certificate } = Object(cause) as Details;
  const { code, what, advice } = failure;
  if (code === "certificate" && certificate !== undefined) {
    return certificateFailure(failure, certificate);
  }
  if (proxy === undefined) return failure;
  if (code === "proxy") {
    const reason = status === undefined ? "" : ` with ${status}`;
    return { code, what: `the proxy ${proxy} refused it${reason}`, advice };
  }
  const isUnreached = BEFORE_CONNECTED.has(code);
  if (!isOfProxy && !isUnreached) return failure;
  return {
    code: "proxy",
    what: `the proxy ${proxy} could not be reached, ${what.replace("of the server", "of the proxy")}`,
    advice: isUnreached
      ? "Check its address and that it is running, or send without it: set connection.proxy to false, or NO_PROXY"
      : advice,
  };
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

/** Why a request ended without a complete response. */
export type Reason =
  | Stop
  | { readonly kind: "failed"; readonly cause: unknown }
  | { readonly kind: "cut-short"; readonly cause: unknown }
  | { readonly kind: "hook"; readonly cause: unknown }
  /** The handshake of a WebSocket was refused, by the partial response. */
  | { readonly kind: "refused"; readonly cause: unknown }
  | RedirectReason;

/** A request that ended without a complete response. */
interface FailedRequest {
  readonly request: SentRequest;
  /** The hop that failed. */
  readonly hop: { readonly method: string; readonly url: URL };
  readonly redirects: readonly Redirect[];
  readonly reason: Reason;
  readonly partial?: Exchange | undefined;
  /** Masked in the message. */
  readonly secrets: Secrets;
}

/** Creates the error of a request without a complete response. */
export function noResponse(failed: FailedRequest): NoResponseError {
  const { request, hop, redirects, reason, partial, secrets } = failed;
  learn(failed);
  const { code, what, advice } = failureOf(failed);
  const count = redirects.length === 1 ? "1 redirect" : `${redirects.length} redirects`;
  const via = redirects.length > 0 && code !== "too-many-redirects" ? ` (after ${count})` : "";
  const got = partial ? "no complete response" : "no response";
  const summary = `${hop.method} "${hop.url.href}"${via} got ${got}: ${what}`;
  const message = secrets.mask(advice ? `${summary}. ${advice}` : summary);
  return new NoResponseError(code, message, {
    request,
    redirects: redirects.slice(),
    reason: secrets.mask(what),
    cause: "cause" in reason ? reason.cause : "reason" in reason ? reason.reason : undefined,
    partial,
  });
}

/** The error shows the partial response and the targets of redirects. */
function learn({ partial, redirects, reason, secrets }: FailedRequest): void {
  if (partial !== undefined) learnAnswer(partial, secrets);
  for (const { location } of redirects) secrets.learn({ kind: "url", url: location }, "server");
  if (reason.kind === "redirected")
    secrets.learn({ kind: "url", url: reason.redirect.location }, "server");
}

function failureOf({ reason, redirects, partial }: FailedRequest): Failure {
  const received = partial ? ` after ${progress(partial)}` : "";
  switch (reason.kind) {
    case "timed-out":
      return {
        code: "timed-out",
        what: `timed out after ${seconds(reason.milliseconds)}${partial ? `, ${progress(partial)} in` : ""}`,
        advice: "Check that the server responds, or set a longer timeout",
      };
    case "aborted":
      return {
        code: "aborted",
        what: `it was aborted${received}${abortDetail(reason.reason)}`,
        advice: "",
      };
    case "redirected":
      return failure(
        "redirected",
        `${reason.redirect.status} redirects to "${reason.redirect.location}"`,
        'With redirect "error" a redirect is an error: use "follow" or "manual"',
      );
    case "too-many-redirects":
      return failure(
        "too-many-redirects",
        `too many redirects (more than ${redirects.length - 1}):${redirects.map(hopLine).join("")}`,
        "",
      );
    case "hook":
      return failure(
        "hook",
        `a function among the options ky and retry failed, ${messageOf(reason.cause)}`,
        "Check the hooks of ky, and the functions of retry",
      );
    case "refused":
      return failure(
        "protocol",
        `the server refused the WebSocket with ${partial?.status} ${partial?.statusText}`.trimEnd(),
        "Check the path, the credentials and the subprotocols",
      );
    case "cut-short":
      return cutShort(explainFailure(reason.cause), received);
    case "failed":
      return explainFailure(reason.cause);
  }
}

function cutShort(known: Failure, received: string): Failure {
  if (known.code === "decompression" || known.code === "timed-out") {
    return { ...known, what: `${known.what}${received}` };
  }
  if (known.code === "protocol") {
    return failure("cut-short", `${known.what}${received}`, known.advice);
  }
  return failure("cut-short", `the connection ended${received}`, "");
}

function failure(code: NoResponseCode, what: string, advice: string): Failure {
  return { code, what, advice };
}

function progress(exchange: Exchange): string {
  const length = lengthOf(exchange);
  const whole = length === undefined ? "" : ` of ${length}`;
  return `${contentOf(exchange).length}${whole} bytes of the body`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

function hopLine({ method, url, status, location }: Redirect): string {
  return `\n  ${method} ${url} → ${status} ${location}`;
}

/** The abort reason that a caller gave, in parentheses; nothing for the default reason of `abort()`. */
export function abortDetail(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return ` (${reason})`;
  if (!(reason instanceof Error) || reason.name === "AbortError") return "";
  return ` (${reason.message})`;
}
