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
  return (input, init) => fetch(input, { ...init, dispatcher } as unknown as RequestInit);
};

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
