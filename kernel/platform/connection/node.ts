import { STATUS_CODES } from "node:http";
import type { CreateFetch } from "./connection.ts";
import { tlsOf } from "./tls.ts";

/** Node's fetch takes a dispatcher of undici, whose package brings what Node keeps to itself. */
export const createNodeFetch: CreateFetch = async (way) => {
  const { Agent, ProxyAgent } = await import("undici");
  const tls = await tlsOf(way);
  const protocol = way.http2 === undefined ? {} : { allowH2: way.http2 };
  const dispatcher =
    way.proxy === undefined
      ? new Agent({ connect: tls, ...protocol })
      : new ProxyAgent({ ...proxyOptions(way.proxy), requestTls: tls, proxyTls: tls, ...protocol });
  return async (input, init) =>
    withReason(await fetch(input, { ...init, dispatcher } as unknown as RequestInit));
};

/**
 * undici 7.30 drops the reason phrase of what comes from a proxy without a tunnel
 * (`Http1ProxyWrapper` hands on three of four arguments), and fetch then has `undefined` for it.
 */
function withReason(response: Response): Response {
  if (typeof response.statusText === "string") return response;
  const value = STATUS_CODES[response.status] ?? "";
  return Object.defineProperty(response, "statusText", { value });
}

/** Requests over http are handed to the proxy as they are: many a proxy tunnels to port 443 alone. */
function proxyOptions(proxy: string): { uri: string; token?: string; proxyTunnel: boolean } {
  const url = new URL(proxy);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const token = username === "" ? {} : { token: `Basic ${Buffer.from(pair).toString("base64")}` };
  return { uri: url.href, ...token, proxyTunnel: false };
}
