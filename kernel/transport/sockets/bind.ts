import type { Server } from "node:net";
import { EndpointError } from "../zmtp/mod.ts";
import { type Endpoint, renderEndpoint } from "./endpoint.ts";

/** A bound endpoint. */
export interface Listener {
  /** Where it listens, with the real port. */
  readonly endpoint: Endpoint;
  /** Stops taking connections; those taken are not touched. */
  close(): Promise<void>;
}

/** Why an endpoint that somebody else has cannot be bound. */
export const IN_USE = "the address is in use; choose another or end the program that holds it";
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: IN_USE,
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user has no permission to listen there",
  ENOTFOUND: "the host name cannot be resolved",
};
const NO_FOLDER = "the folder of the path does not exist or may not be written to";

/** The error for an endpoint that cannot be bound, in words for the codes that people meet. */
export function toEndpointError(endpoint: Endpoint, error: unknown): EndpointError {
  if (error instanceof EndpointError) return error;
  const code = codeOf(error);
  // libuv says EACCES for a missing folder as well.
  const noFolder = endpoint.kind === "ipc" && ["EACCES", "ENOENT"].includes(code);
  const reason = noFolder ? NO_FOLDER : (REASONS[code] ?? String(error));
  return new EndpointError(renderEndpoint(endpoint), reason, code, { cause: error });
}

/** Binds a server; rejects with the system's error. */
export function bind(
  server: Server,
  options: { host: string; port: number } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(error);
    server.once("error", onError);
    server.listen({ ...options, backlog: 511 }, () => {
      server.off("error", onError);
      // A failed accept (no file descriptors left, say) is no reason to stop serving the others.
      server.on("error", () => undefined);
      resolve();
    });
  });
}

/** Stops listening. */
export function closeServer(server: Server): Promise<void> {
  // `close` waits for the connections as well; listening stops at once.
  server.close();
  return Promise.resolve();
}

/** The system's code of an error, or nothing. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
