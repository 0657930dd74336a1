import type * as OAuth from "oauth4webapi";
import type { CredentialContext, OAuth2Credentials } from "../authorizer/mod.ts";
import { CredentialError } from "../authorizer/mod.ts";

/** An authorization server with our client at it. */
export interface Server {
  readonly oauth: typeof OAuth;
  readonly metadata: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly authentication: OAuth.ClientAuth;
  /** Options of each request to it. */
  readonly options: OAuth.TokenEndpointRequestOptions;
}

/** Finds out where the endpoints are. */
export async function findServer(
  credentials: OAuth2Credentials,
  context: CredentialContext,
  signal: AbortSignal,
): Promise<Server> {
  const oauth = await import("oauth4webapi");
  const { clientId, clientSecret, clientAuthentication = "basic" } = credentials;
  const options = {
    // The address was written by the person; servers on a desk rarely have a certificate.
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

/** Without a description the server has no name; nothing that is checked depends on it then. */
export const UNKNOWN_ISSUER = "https://unknown.invalid";

async function readMetadata(
  oauth: typeof OAuth,
  credentials: OAuth2Credentials,
  options: OAuth.TokenEndpointRequestOptions,
): Promise<OAuth.AuthorizationServer> {
  const { issuer, tokenEndpoint, authorizationEndpoint, deviceAuthorizationEndpoint } = credentials;
  const given = {
    ...(tokenEndpoint === undefined ? {} : { token_endpoint: tokenEndpoint }),
    ...(authorizationEndpoint === undefined
      ? {}
      : { authorization_endpoint: authorizationEndpoint }),
    ...(deviceAuthorizationEndpoint === undefined
      ? {}
      : { device_authorization_endpoint: deviceAuthorizationEndpoint }),
  };
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
  return { ...found, ...given };
}

/** An endpoint of the server, or an error that says where it has to be given. */
export function endpointOf(
  { metadata }: Server,
  key: "token_endpoint" | "authorization_endpoint" | "device_authorization_endpoint",
  option: keyof OAuth2Credentials,
): URL {
  const endpoint = metadata[key];
  if (typeof endpoint === "string") return toUrl(endpoint, option);
  throw new CredentialError(`Cannot get a token: ${option} is missing; give it, or issuer`);
}

function toUrl(text: string, option: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw new CredentialError(`Cannot use "${text}" as ${option}: it is not a URL`, { cause });
  }
}

/** Runs a step with the server; what it refuses is said in its own words. */
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
