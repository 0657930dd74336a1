/** A parsed endpoint. */
export type Endpoint =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "ipc"; readonly path: string };

/** Bytes of a path in the system's socket address: 108 on Linux, 104 on the BSDs, with a NUL. */
const MAXIMUM_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Parses `tcp://host:port` or `ipc://path`. The host may be `*`, a name, an IPv4 address or an IPv6
 * address with or without brackets.
 *
 * @throws EndpointError for anything else, and for paths that are too long for the system.
 */
export function parseEndpoint(text: string): Endpoint {
  const [, kind, rest = ""] = /^(tcp|ipc):\/\/(.+)$/s.exec(text) ?? [];
  if (kind === "tcp") return parseTcp(text, rest);
  if (kind === "ipc") return parseIpc(text, rest);
  throw new EndpointError(text, "it is neither tcp://host:port nor ipc://path");
}

/** Renders an endpoint as clients connect to it. */
export function renderEndpoint(endpoint: Endpoint): string {
  if (endpoint.kind === "ipc") return `ipc://${endpoint.path}`;
  const host = endpoint.host.includes(":") ? `[${endpoint.host}]` : endpoint.host;
  return `tcp://${host}:${endpoint.port}`;
}

function parseTcp(text: string, rest: string): Endpoint {
  const [, host = "", digits = ""] = /^(.+):(\d{1,5}|\*)$/.exec(rest) ?? [];
  const port = digits === "*" ? 0 : Number(digits);
  if (host === "" || port > 65_535) {
    throw new EndpointError(text, "it is not host:port with a port from 0 to 65535");
  }
  return { kind: "tcp", host: host.replace(/^\[(.*)\]$/, "$1"), port };
}

function parseIpc(text: string, path: string): Endpoint {
  if (process.platform === "win32") {
    throw new EndpointError(text, "this system has no ipc sockets; use tcp");
  }
  if (path.includes("\0")) throw new EndpointError(text, "the path contains a NUL character");
  checkLength(path);
  return { kind: "ipc", path };
}

/** @throws EndpointError if a path is too long for the system. */
export function checkLength(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAXIMUM_PATH_BYTES) return;
  throw new EndpointError(
    renderEndpoint({ kind: "ipc", path }),
    `the path has ${bytes} bytes, more than the ${MAXIMUM_PATH_BYTES} that the system allows; shorten it`,
  );
}

/** An endpoint cannot be bound. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  /** The endpoint as it was given, for example `tcp://127.0.0.1:5555`. */
  readonly endpoint: string;
  readonly reason: string;
  /** The system's error code, for example `EADDRINUSE`; empty if the endpoint itself is invalid. */
  readonly code: string;

  constructor(endpoint: string, reason: string, code = "", options?: ErrorOptions) {
    super(`Binding "${endpoint}" failed: ${reason}`, options);
    this.endpoint = endpoint;
    this.reason = reason;
    this.code = code;
  }
}
