import { STATUS_CODES } from "node:http";
import { type CreateFetch, tlsOptionsOf } from "./connection.ts";
import { parseProxy } from "./proxy.ts";

/** HTTP/2 on Node, whose fetch takes a dispatcher of the package undici; Node does not export its own. */
export const createUndiciFetch: CreateFetch = async (connection) => {
  const { proxy, http2 } = connection;
  const { Agent, ProxyAgent } = await import("undici");
  const tls = await tlsOptionsOf(connection);
  const protocol = http2 === undefined ? {} : { allowH2: http2 };
  const createProxyAgent = (address: string): InstanceType<typeof ProxyAgent> => {
    const { url, authorization } = parseProxy(address);
    const token = authorization === undefined ? {} : { token: authorization };
    // Without a tunnel for http: many proxies tunnel only to port 443.
    const options = { uri: url.href, ...token, proxyTunnel: false, ...protocol };
    return new ProxyAgent({ ...options, requestTls: tls, proxyTls: tls });
  };
  const dispatcher =
    proxy === undefined ? new Agent({ connect: tls, ...protocol }) : createProxyAgent(proxy);
  return async (input, init) =>
    withReason(await fetch(input, { ...init, dispatcher } as unknown as RequestInit));
};

/**
 * undici 7.30 drops the reason phrase of an answer from a proxy without a tunnel (`Http1ProxyWrapper`
 * passes on three of four arguments), so that its `statusText` is `undefined`.
 */
function withReason(response: Response): Response {
  if (typeof response.statusText === "string") return response;
  const value = STATUS_CODES[response.status] ?? "";
  return Object.defineProperty(response, "statusText", { value });
}
