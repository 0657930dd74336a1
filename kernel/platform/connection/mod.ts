/**
 * How requests leave each runtime: proxies, certificates, HTTP/2, and Node's own HTTP client.
 */

export { type Connection, refuse, toWay, type Way } from "./connection.ts";
export { createConnect, createProxiedFetch } from "./create-connect.ts";
export { createPlatformFetch, type PlatformFetch } from "./create-platform-fetch.ts";
export { createDenoClient } from "./deno.ts";
export { proxyOf } from "./proxy.ts";
export { type TlsOptions, tlsOf } from "./tls.ts";
export { openTunnel } from "./tunnel.ts";
