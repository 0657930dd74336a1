import type { CreateFetch } from "./connection.ts";

/** Bun's fetch takes it all with each request. */
export const createBunFetch: CreateFetch = async (way) => {
  const { ca, insecure, clientCertificate, http2 } = way;
  const tls = {
    ...(ca === undefined ? {} : { ca: await withUsual(ca) }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...clientCertificate,
  };
  const options = {
    // Nothing but `false` keeps a proxy of the environment out.
    proxy: way.proxy ?? false,
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(http2 === undefined ? {} : { protocol: http2 ? "http2" : "http1.1" }),
  };
  return (input, init) => fetch(input, { ...init, ...options } as unknown as RequestInit);
};

/** A list of one's own would take the place of the usual ones. */
async function withUsual(ca: string | readonly string[]): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}
