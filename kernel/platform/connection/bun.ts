import type { CreateFetch } from "./connection.ts";
import { tlsOf } from "./tls.ts";

/** Bun's fetch takes it all with each request. */
export const createBunFetch: CreateFetch = async (way) => {
  const { http2 } = way;
  const tls = await tlsOf(way);
  const options = {
    // Nothing but `false` keeps a proxy of the environment out.
    proxy: way.proxy ?? false,
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(http2 === undefined ? {} : { protocol: http2 ? "http2" : "http1.1" }),
  };
  return (input, init) => fetch(input, { ...init, ...options } as unknown as RequestInit);
};
