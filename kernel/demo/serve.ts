// On Deno and Bun too, through their `node:http`: srvx's own adapters differ where it shows. Deno's
// prints a warning when a handler asks whether the client is still there (2.9; `no-legacy-abort`),
// Bun's shares a port that is taken when not in development (1.4).
import { serve } from "srvx/node";
import { createUsersApi, type UsersApiOptions } from "./api.ts";
import { acceptEchoSockets, type EchoSockets } from "./routes/mod.ts";

/** The port that the demo listens on unless told otherwise. */
export const DEMO_PORT = 8787;

/** Where the demo listens. */
export interface DemoOptions extends UsersApiOptions {
  /** The port; 0 takes a free one. */
  readonly port?: number;
  /** The address; loopback unless told otherwise. */
  readonly host?: string;
}

/** A demo that is running. */
export interface Demo {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Ends it at once, open connections included. */
  close(): Promise<void>;
}

/**
 * Starts a users API of its own on a port. It prints nothing.
 *
 * @param options Port and address.
 * @returns The running demo, once it takes connections.
 * @throws {Error} Where the port or address cannot be had; the message says what to do.
 */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { port = DEMO_PORT, host = "127.0.0.1" } = options;
  let server: ReturnType<typeof serve>;
  let sockets: EchoSockets | undefined;
  try {
    server = serve({
      fetch: createUsersApi(options).fetch,
      port,
      hostname: host,
      manual: true,
      silent: true,
      // Signals belong to the program that the demo runs in.
      gracefulShutdown: false,
    });
    const { node } = server;
    if (node?.server !== undefined) sockets = acceptEchoSockets(node.server);
    await server.serve();
  } catch (error) {
    throw new Error(`Could not start the demo on "${host}:${port}": ${explain(error)}`, {
      cause: error,
    });
  }
  const url = reachable(new URL(server.url ?? `http://${host}:${port}`));
  let ended: Promise<void> | undefined;
  return {
    url: url.origin,
    port: Number(url.port || 80),
    close(): Promise<void> {
      // It would wait for those that it has handed over.
      sockets?.close();
      ended ??= server.close(true);
      return ended;
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

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return REASONS[code] ?? error.message;
}

/** An address that stands for all of them is no place to send requests to. */
function reachable(url: URL): URL {
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return url;
}
