import type { Socket } from "node:net";
import { serve } from "srvx/node";
import type { Platform } from "../platform/mod.ts";
import { createUsersApi, type UsersApiOptions } from "./api.ts";
import { acceptEchoSockets } from "./echo-routes.ts";

// On Deno and Bun as well, over their `node:http`. srvx's adapter for Deno prints a warning when a
// handler reads the signal of a request (2.9; `no-legacy-abort`), and Bun's shares a port that is in
// use unless it is in development mode (1.4).

const DEMO_PORT = 8787;

interface DemoOptions extends UsersApiOptions {
  /** The port, 8787 by default; 0 takes a free one. */
  readonly port?: number;
  /** The address, 127.0.0.1 by default. */
  readonly host?: string;
  /** Whether it keeps the process alive; not by default. */
  readonly keepsAlive?: boolean;
}

export interface Demo {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops it at once and closes open connections. */
  close(): Promise<void>;
}

/**
 * Serves a new users API on a port. Resolves when it accepts connections; prints nothing.
 *
 * @throws {Error} The port or address is not available; the message says what to do.
 */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { port = DEMO_PORT, host = "127.0.0.1" } = options;
  let server: ReturnType<typeof serve>;
  let sockets: ReturnType<typeof acceptEchoSockets> | undefined;
  try {
    server = serve({
      fetch: createUsersApi(options).fetch,
      port,
      hostname: host,
      manual: true,
      silent: true,
      // The program handles signals itself.
      gracefulShutdown: false,
    });
    const { server: http } = server.node ?? {};
    if (http !== undefined) sockets = acceptEchoSockets(http);
    if (options.keepsAlive !== true) {
      http?.unref();
      http?.on("connection", (socket: Socket) => void socket.unref());
    }
    await server.serve();
  } catch (error) {
    throw new Error(`Could not start the demo on "${host}:${port}": ${reasonOf(error)}`, {
      cause: error,
    });
  }
  const url = toReachable(new URL(server.url ?? `http://${host}:${port}`));
  let closed: Promise<void> | undefined;
  return {
    url: url.origin,
    port: Number(url.port || 80),
    close(): Promise<void> {
      // The server waits for upgraded connections before it closes.
      for (const socket of sockets?.clients ?? []) socket.terminate();
      closed ??= server.close(true);
      return closed;
    },
  };
}

const NO_ADDRESS = "this machine does not have that address; use 127.0.0.1";

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; stop what uses it, or choose another port (0 takes a free one)",
  EACCES: "the port is not permitted; choose one above 1023",
  EADDRNOTAVAIL: NO_ADDRESS,
  EINVAL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return REASONS[code] ?? error.message;
}

/** A wildcard address cannot be the target of a request. */
function toReachable(url: URL): URL {
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return url;
}

/**
 * `restlab demo`: serves the embedded users API until Ctrl-C.
 *
 * @returns The exit status: 0, or 2 where the port is not available.
 */
export async function demoCommand(
  options: { readonly port: number; readonly host: string },
  { stdout, stderr, onInterrupt }: Platform,
): Promise<number> {
  let demo: Demo;
  try {
    demo = await startDemo({ ...options, keepsAlive: true });
  } catch (error) {
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    stderr.write(`restlab: ${toVisibleLine((error as Error).message)}\n`);
    return 2;
  }
  stdout.write(`The users API listens on ${demo.url} (Ctrl-C ends it)\n`);
  await new Promise<void>((resolve) => onInterrupt(resolve));
  await demo.close();
  return 0;
}
