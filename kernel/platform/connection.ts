import type { ConnectionOptions } from "../../lib/mod.ts";

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

/** The property of a fetch that sends every method, and bodies with GET and HEAD; a client looks for it. */
const COMPLETE = Symbol.for("restlab.complete-fetch");

/** Marks a fetch that sends also what {@link isBeyondFetch} is true of. */
export function markComplete(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return Object.assign(fetch, { [COMPLETE]: true });
}

/** Whether a runtime's fetch refuses or changes a request that HTTP allows, so that it goes over `node:http`. */
export function isBeyondFetch(...[input, init = {}]: Parameters<typeof globalThis.fetch>): boolean {
  const { method = input instanceof Request ? input.method : "GET", body } = init;
  return (body != null && /^(?:GET|HEAD)$/i.test(method)) || isChanged(method);
}

/** Bun 1.4 sends a GET for a method that it does not know. */
function isChanged(method: string): boolean {
  return madeOf(method).toUpperCase() !== method.toUpperCase();
}

function madeOf(method: string): string {
  return new Request("http://localhost/", { method }).method;
}

/** Options of `node:tls`, which Bun uses as well. */
export interface TlsOptions {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** The certificates of a connection as options of TLS. */
export async function tlsOptionsOf({
  ca,
  insecure,
  clientCertificate,
}: ResolvedConnection): Promise<TlsOptions> {
  return {
    ...(ca === undefined ? {} : { ca: await withRoots(ca) }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...clientCertificate,
  };
}

/** The option `ca` replaces the root certificates, so they are added. */
async function withRoots(ca: string | readonly string[]): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}
