import process from "node:process";
import { type CreateFetch, refuse, type Way } from "./connection.ts";

/** What of Deno's own API is used here. */
interface DenoHttp {
  createHttpClient(options: {
    readonly proxy?: {
      readonly url: string;
      readonly basicAuth?: { readonly username: string; readonly password: string };
    };
    readonly caCerts?: readonly string[];
    readonly cert?: string;
    readonly key?: string;
    readonly http1?: boolean;
    readonly http2?: boolean;
  }): unknown;
}

/** Deno's fetch takes a client of its own. */
export const createDenoFetch: CreateFetch = (way) => {
  const client = createDenoClient(way);
  return (input, init) => fetch(input, { ...init, client } as unknown as RequestInit);
};

/** A client of Deno, for fetch and WebSockets. */
export function createDenoClient(way: Way): unknown {
  const { ca, insecure, clientCertificate, http2 } = way;
  if (insecure) {
    refuse(
      "insecure",
      "Deno",
      "give the certificate as ca, or start Deno with --unsafely-ignore-certificate-errors",
    );
  }
  if (clientCertificate?.passphrase !== undefined) {
    refuse("clientCertificate.passphrase", "Deno", "give the key without one");
  }
  const { Deno } = globalThis as unknown as { readonly Deno: DenoHttp };
  return withoutEnvironment(way, () =>
    Deno.createHttpClient({
      ...(way.proxy === undefined ? {} : { proxy: proxyOptions(way.proxy) }),
      ...(ca === undefined ? {} : { caCerts: typeof ca === "string" ? [ca] : ca }),
      ...(clientCertificate === undefined
        ? {}
        : { cert: clientCertificate.cert, key: clientCertificate.key }),
      ...(http2 === undefined ? {} : { http2, http1: true }),
    }),
  );
}

function proxyOptions(
  proxy: string,
): NonNullable<Parameters<DenoHttp["createHttpClient"]>[0]["proxy"]> {
  const url = new URL(proxy);
  const username = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  url.username = "";
  url.password = "";
  return { url: url.href, ...(username === "" ? {} : { basicAuth: { username, password } }) };
}

const PROXIES = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/** A client takes a proxy from the environment when it is made, wanted or not. */
function withoutEnvironment<T>(way: Way, create: () => T): T {
  if (way.proxy !== undefined) return create();
  const kept = PROXIES.map((name) => [name, process.env[name]] as const);
  for (const name of PROXIES) delete process.env[name];
  try {
    return create();
  } finally {
    for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
  }
}
