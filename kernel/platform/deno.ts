import process from "node:process";
import { type CreateFetch, type ResolvedConnection, rejectOption } from "./connection.ts";
import { parseProxy } from "./proxy.ts";

/** The part of Deno's API that is used here. */
interface DenoHttp {
  createHttpClient(options: {
    readonly proxy?: DenoProxy;
    readonly caCerts?: readonly string[];
    readonly cert?: string;
    readonly key?: string;
    readonly http1?: boolean;
    readonly http2?: boolean;
  }): unknown;
}

interface DenoProxy {
  readonly url: string;
  readonly basicAuth?: { readonly username: string; readonly password: string };
}

/** Deno's fetch takes a client with the connection. */
export const createDenoFetch: CreateFetch = async (connection) => {
  const client = createDenoClient(connection);
  return (input, init) => fetch(input, { ...init, client } as unknown as RequestInit);
};

/** Creates a client of Deno, for fetch and WebSockets. */
export function createDenoClient(connection: ResolvedConnection): unknown {
  const { proxy, ca, insecure, clientCertificate, http2 } = connection;
  if (insecure) {
    rejectOption(
      "insecure",
      "Deno",
      "give the certificate as ca, or start Deno with --unsafely-ignore-certificate-errors",
    );
  }
  if (clientCertificate?.passphrase !== undefined) {
    rejectOption("clientCertificate.passphrase", "Deno", "give the key without one");
  }
  if (clientCertificate !== undefined && "pfx" in clientCertificate) {
    rejectOption("clientCertificate.pfx", "Deno", "give the certificate and its key as PEM files");
  }
  const { Deno } = globalThis as unknown as { readonly Deno: DenoHttp };
  return withoutProxyVariables(proxy !== undefined, () =>
    Deno.createHttpClient({
      ...(proxy === undefined ? {} : { proxy: proxyOptions(proxy) }),
      ...(ca === undefined ? {} : { caCerts: typeof ca === "string" ? [ca] : ca }),
      ...(clientCertificate === undefined
        ? {}
        : { cert: clientCertificate.cert, key: clientCertificate.key }),
      ...(http2 === undefined ? {} : { http2, http1: true }),
    }),
  );
}

function proxyOptions(proxy: string): DenoProxy {
  const { url, username, password } = parseProxy(proxy);
  return { url: url.href, ...(username === "" ? {} : { basicAuth: { username, password } }) };
}

const PROXY_VARIABLES = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/** Without a proxy of its own, a new client uses that of the environment. */
function withoutProxyVariables<T>(hasProxy: boolean, create: () => T): T {
  if (hasProxy) return create();
  const saved = PROXY_VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of PROXY_VARIABLES) delete process.env[name];
  try {
    return create();
  } finally {
    for (const [name, value] of saved) if (value !== undefined) process.env[name] = value;
  }
}
