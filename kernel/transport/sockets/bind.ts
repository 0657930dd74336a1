import type { Server } from "node:net";
import { EndpointError } from "../zmtp/mod.ts";
import { type Endpoint, renderEndpoint } from "./endpoint.ts";

/** A bound endpoint. */
export interface Listener {
  /** With the port that was assigned. */
  readonly endpoint: Endpoint;
  /** Stops accepting connections; open ones stay open. */
  close(): Promise<void>;
}

export const IN_USE = "the address is in use; choose another, or stop the program that uses it";
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: IN_USE,
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user has no permission to listen there",
  ENOTFOUND: "the host name cannot be resolved",
};
const NO_FOLDER = "the folder of the path does not exist or may not be written to";

/** Explains why an endpoint cannot be bound. */
export function toEndpointError(endpoint: Endpoint, error: unknown): EndpointError {
  if (error instanceof EndpointError) return error;
  const code = codeOf(error);
  // libuv reports EACCES for a missing folder as well.
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
      // A failed accept, for example without file descriptors, must not end the process.
      server.on("error", () => undefined);
      resolve();
    });
  });
}

/** The system's code of an error, or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
