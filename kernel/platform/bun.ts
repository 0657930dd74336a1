import { type CreateFetch, tlsOptionsOf } from "./connection.ts";

/** Bun's fetch takes the options of a connection with each request. */
export const createBunFetch: CreateFetch = async (connection) => {
  const { http2, proxy = false } = connection;
  const tls = await tlsOptionsOf(connection);
  const options = {
    // `undefined` would mean the proxy of the environment.
    proxy,
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(http2 === undefined ? {} : { protocol: http2 ? "http2" : "http1.1" }),
  };
  return (input, init) => fetch(input, { ...init, ...options } as unknown as RequestInit);
};
