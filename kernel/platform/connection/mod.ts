/**
 * The fetch of each runtime: proxies, certificates, HTTP/2, and a fetch over Node's HTTP client.
 *
 * @module
 */

export {
  type ResolvedConnection,
  rejectOption,
  resolveConnection,
} from "./connection.ts";
export { createConnect, createProxiedFetch } from "./create-connect.ts";
export { createPlatformFetch, type PlatformFetch } from "./create-platform-fetch.ts";
export { createDenoClient } from "./deno.ts";
export { proxyOf } from "./proxy.ts";
export { createRuntimeHeaders } from "./runtime-headers.ts";
export { type TlsOptions, tlsOptionsOf } from "./tls.ts";
export { throughTunnel } from "./tunnel.ts";
