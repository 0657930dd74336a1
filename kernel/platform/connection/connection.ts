import type { ConnectionOptions } from "../../../lib/mod.ts";

/** A connection for one URL, with its proxy chosen. */
export interface ResolvedConnection extends Omit<ConnectionOptions, "proxy" | "noProxy"> {
  readonly proxy: string | undefined;
}

/** Creates a fetch of a runtime that uses a connection. */
export type CreateFetch = (connection: ResolvedConnection) => Promise<typeof fetch>;

/** Sets the proxy of a connection. */
export function resolveConnection(
  { proxy: _proxy, noProxy: _noProxy, ...rest }: ConnectionOptions,
  proxy: string | undefined,
): ResolvedConnection {
  return { ...rest, proxy };
}

/** A runtime does not support an option of a connection. */
class ConnectionError extends TypeError {
  override readonly name = "ConnectionError";
}

/** @throws {ConnectionError} Always. */
export function rejectOption(option: string, runtime: string, advice: string): never {
  throw new ConnectionError(
    `Cannot use the connection option ${option}: ${runtime} does not support it; ${advice}`,
  );
}
