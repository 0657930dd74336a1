import type * as OAuth from "oauth4webapi";
import { type CredentialContext, CredentialError, type OAuth2Credentials } from "./authorizer.ts";

/** An authorization server and the client that is registered there. */
export interface Server {
  readonly oauth: typeof OAuth;
  readonly metadata: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly authentication: OAuth.ClientAuth;
  /** Options of each request to the server. */
  readonly options: OAuth.TokenEndpointRequestOptions;
}

/**
 * Finds the endpoints of a server, from the credentials or by discovery (OpenID Connect Discovery 1.0).
 *
 * @throws {CredentialError} The metadata cannot be read, or names an insecure endpoint.
 */
export async function findServer(
  credentials: OAuth2Credentials,
  context: CredentialContext,
  signal: AbortSignal,
): Promise<Server> {
  const oauth = await import("oauth4webapi");
  const { clientId, clientSecret, clientAuthentication = "basic" } = credentials;
  const options = {
    // For development servers. The user wrote the URL; those of an https issuer are checked below.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url: string, init: RequestInit) => context.fetch(url, init),
    signal: () =>
      context.timeout > 0
        ? AbortSignal.any([signal, AbortSignal.timeout(context.timeout)])
        : signal,
  } as unknown as OAuth.TokenEndpointRequestOptions;
  const secretPost = clientAuthentication === "post" ? oauth.ClientSecretPost : undefined;
  return {
    oauth,
    options,
    metadata: await readMetadata(oauth, credentials, options),
    client: { client_id: clientId },
    authentication:
      clientSecret === undefined
        ? oauth.None()
        : (secretPost ?? oauth.ClientSecretBasic)(clientSecret),
  };
}

/** Stands for the issuer if only endpoints are given; then nothing is checked against it. */
export const UNKNOWN_ISSUER = "https://unknown.invalid";

async function readMetadata(
  oauth: typeof OAuth,
  credentials: OAuth2Credentials,
  options: OAuth.TokenEndpointRequestOptions,
): Promise<OAuth.AuthorizationServer> {
  const { issuer, tokenEndpoint, authorizationEndpoint, deviceAuthorizationEndpoint } = credentials;
  const endpoints = [
    ["token_endpoint", tokenEndpoint],
    ["authorization_endpoint", authorizationEndpoint],
    ["device_authorization_endpoint", deviceAuthorizationEndpoint],
  ];
  const given = Object.fromEntries(endpoints.filter(([, endpoint]) => endpoint !== undefined));
  if (issuer === undefined || tokenEndpoint !== undefined) {
    return { issuer: issuer ?? UNKNOWN_ISSUER, ...given };
  }
  const identifier = toUrl(issuer.replace(/\/\.well-known\/.*$/, ""), "issuer");
  const found = await orExplain(`read the metadata of "${issuer}"`, async () => {
    const response = await oauth.discoveryRequest(
      identifier,
      options as unknown as OAuth.DiscoveryRequestOptions,
    );
    return await oauth.processDiscoveryResponse(identifier, response);
  });
  checkEndpoints(identifier, found);
  return { ...found, ...given };
}

/** The metadata of an https issuer may not send secrets to other hosts in clear text. */
function checkEndpoints(issuer: URL, metadata: OAuth.AuthorizationServer): void {
  if (issuer.protocol !== "https:") return;
  for (const name of ENDPOINTS) {
    const endpoint = metadata[name];
    if (endpoint === undefined || !URL.canParse(endpoint)) continue;
    const { protocol, hostname } = new URL(endpoint);
    if (protocol === "https:" || LOOPBACK.test(hostname)) continue;
    throw new CredentialError(
      `Cannot use the ${name} "${endpoint}": its issuer "${issuer.href}" is https; ` +
        "the server must name an https endpoint",
    );
  }
}

const ENDPOINTS = [
  "token_endpoint",
  "authorization_endpoint",
  "device_authorization_endpoint",
] as const;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @throws {CredentialError} The endpoint is missing or is not a URL. */
export function endpointOf(
  { metadata }: Server,
  key: (typeof ENDPOINTS)[number],
  option: keyof OAuth2Credentials,
): URL {
  const endpoint = metadata[key];
  if (typeof endpoint === "string") return toUrl(endpoint, option);
  throw new CredentialError(`Cannot get a token: ${option} is missing; set it, or issuer`);
}

function toUrl(text: string, option: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw new CredentialError(`Cannot use "${text}" as ${option}: it is not a URL`, { cause });
  }
}

/** Runs a step; a refusal of the server becomes an error that quotes it. */
export async function orExplain<T>(action: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (cause instanceof CredentialError) throw cause;
    throw new CredentialError(`Cannot ${action}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const {
    error,
    error_description: description,
    status,
  } = cause as Partial<OAuth.ResponseBodyError>;
  if (typeof error === "string") {
    const words = description ? ` (${description})` : "";
    return `the server answered ${status ?? ""} "${error}"${words}`.replace("  ", " ");
  }
  const { cause: inner } = cause;
  if (inner instanceof Response) return `the server answered ${inner.status}: ${cause.message}`;
  return inner instanceof Error && inner.message !== "" ? inner.message : cause.message;
}
