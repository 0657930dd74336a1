import { RUNTIME_FETCH } from "../../lib/fetch/mod.ts";
import type { ConnectionOptions, Fetch } from "../../lib/mod.ts";
import type { Route } from "./connection.ts";
import { createHttp1 } from "./http1.ts";
import { createHttp2 } from "./http2.ts";
import { type Answer, type Call, readCall, toResponse } from "./message.ts";
import { type Environment, parseProxy, proxyOf } from "./proxy.ts";
import { addCertificate } from "./server-certificate.ts";
import { tlsOptionsOf } from "./tls-options.ts";

/**
 * Returns the function that creates a fetch for a connection: over `node:http` and `node:http2`, which Node, Deno and
 * Bun have. It follows no redirects; its headers, methods and bodies are sent as they are given.
 *
 * @param environment Names proxies, unless the connection does.
 */
export function createConnect(environment: Environment): (connection?: ConnectionOptions) => Fetch {
  return (connection = {}) => {
    const { unixSocket } = connection;
    const tls = tlsOptionsOf(connection);
    const senders = new Map<string, (call: Call) => Promise<Answer>>();
    const createSender = (route: Route) => {
      const byHttp1 = createHttp1(route, connection);
      if (connection.http2 === "prior-knowledge") return createHttp2(route, undefined);
      return connection.http2 === true && route.isSecure ? createHttp2(route, byHttp1) : byHttp1;
    };
    return async (...given) => {
      const call = await readCall(given, connection);
      const { url } = call;
      const proxy = unixSocket === undefined ? proxyOf(url, connection, environment) : undefined;
      const route = { isSecure: url.protocol === "https:", proxy, unixSocket, tls };
      const key = `${url.protocol}${proxy ?? ""}`;
      const send = senders.get(key) ?? createSender(route);
      senders.set(key, send);
      try {
        return toResponse(await send(call), url.href);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (route.isSecure) await addCertificate(error, url, route);
        // Otherwise the error would name the server, or nobody.
        if (proxy !== undefined) Object.assign(error, { proxy: parseProxy(proxy).url.host });
        throw error;
      }
    };
  };
}

/** What the source of the fetch of each runtime contains. */
const NATIVE = /\[native code\]|lazyFetch|internal\/deps\/undici/;

/** The global fetch if it is not that of the runtime, such as a mock that was set before. */
export function replacedFetch(): Fetch | undefined {
  const fetch: Fetch & { readonly [RUNTIME_FETCH]?: Fetch } = globalThis.fetch;
  // That of a session stands for the one that it wraps.
  const replaced = fetch[RUNTIME_FETCH] ?? fetch;
  return NATIVE.test(String(replaced)) ? undefined : replaced;
}
