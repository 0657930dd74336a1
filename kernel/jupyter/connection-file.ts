import { getHashes } from "node:crypto";
import { readFile } from "../platform/mod.ts";

/** Where a kernel should listen. */
export interface ConnectionInfo {
  readonly transport: "tcp" | "ipc";
  /** An address for `tcp` (`*` is any), the beginning of a path for `ipc`. */
  readonly ip: string;
  readonly shell: number;
  readonly iopub: number;
  readonly stdin: number;
  readonly control: number;
  readonly heartbeat: number;
  /** The key of the signatures; empty if messages are not signed. */
  readonly key: string;
  /** The hash of the signatures as `node:crypto` names it, for example `sha256`. */
  readonly hash: string;
}

/** A connection file cannot be used; all its problems are reported at once. */
export class ConnectionFileError extends Error {
  override readonly name = "ConnectionFileError";
  readonly path: string;
  readonly problems: readonly string[];

  constructor(path: string, problems: readonly string[]) {
    super(`Reading connection file "${path}" failed: ${problems.join("; ")}`);
    this.path = path;
    this.problems = problems;
  }
}

const PORTS = {
  shell: "shell_port",
  iopub: "iopub_port",
  stdin: "stdin_port",
  control: "control_port",
  heartbeat: "hb_port",
} as const;

/**
 * Reads a connection file.
 *
 * @throws ConnectionFileError with all problems.
 */
export async function readConnectionFile(path: string): Promise<ConnectionInfo> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new ConnectionFileError(path, [error.message]);
  });
  return parseConnectionFile(new TextDecoder().decode(bytes), path);
}

/**
 * Parses the text of a connection file.
 *
 * @param text JSON as the front end wrote it.
 * @param path The file's path, for the message of an error.
 * @throws ConnectionFileError with all problems.
 * @see https://jupyter-client.readthedocs.io/en/latest/kernels.html#connection-files
 */
export function parseConnectionFile(text: string, path: string): ConnectionInfo {
  const problems: string[] = [];
  const fields = parseFields(text, path);
  const transport = word("transport", "tcp");
  if (transport !== "tcp" && transport !== "ipc") {
    problems.push(`transport is "${transport}", not "tcp" or "ipc"`);
  }
  const ip = word("ip", undefined);
  const scheme = word("signature_scheme", "hmac-sha256");
  const hash = scheme.replace(/^hmac-/, "");
  if (hash === scheme || !getHashes().includes(hash)) {
    problems.push(`signature_scheme is "${scheme}", not "hmac-sha256"`);
  }
  // Listening without the requested encryption would leak what the user wants to protect.
  if (fields["curve_secretkey"] !== undefined) {
    problems.push(
      "curve_secretkey asks for an encrypted transport, which this kernel does not support",
    );
  }
  const key = word("key", "");
  const ports = {
    shell: port("shell"),
    iopub: port("iopub"),
    stdin: port("stdin"),
    control: port("control"),
    heartbeat: port("heartbeat"),
  };
  const numbers = Object.values(ports).filter((number) => number > 0);
  if (new Set(numbers).size < numbers.length) problems.push("two channels have the same port");
  if (problems.length > 0) throw new ConnectionFileError(path, problems);
  return { transport: transport === "ipc" ? "ipc" : "tcp", ip, key, hash, ...ports };

  function word(name: string, fallback: string | undefined): string {
    const value = fields[name] ?? fallback;
    if (typeof value === "string" && (value !== "" || name === "key")) return value;
    // The problems are logged, and a key must not be.
    const shown = name === "key" ? "not text" : JSON.stringify(value);
    problems.push(value === undefined ? `${name} is missing` : `${name} is ${shown}`);
    return "";
  }

  function port(channel: keyof typeof PORTS): number {
    const name = PORTS[channel];
    const value = fields[name];
    if (typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65536) {
      return value;
    }
    problems.push(
      value === undefined
        ? `${name} is missing`
        : `${name} is ${JSON.stringify(value)}, not a port from 1 to 65535`,
    );
    return 0;
  }
}

/**
 * The ZeroMQ endpoint of a channel, for example `tcp://127.0.0.1:5555` or
 * `ipc:///run/kernel-1`.
 */
export function toEndpoint({ transport, ip }: ConnectionInfo, port: number): string {
  if (transport === "ipc") return `ipc://${ip}-${port}`;
  const isBareIpv6 = ip.includes(":") && !ip.startsWith("[");
  return `tcp://${isBareIpv6 ? `[${ip}]` : ip}:${port}`;
}

function parseFields(text: string, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Some programs on Windows write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // The rest of the message quotes the text, and the key with it.
    const [place = ""] = / at position \d+/.exec((error as Error).message) ?? [];
    throw new ConnectionFileError(path, [`it is not JSON${place}`]);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new ConnectionFileError(path, ["its JSON is not an object"]);
}
