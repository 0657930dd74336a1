import type { TokenEndpointResponse } from "oauth4webapi";
import type { CredentialContext, OAuth2Credentials, Token } from "./authorizer.ts";
import { endpointOf, orExplain, type Server } from "./oauth2-server.ts";

/**
 * Requests a token from the token endpoint.
 *
 * @throws {CredentialError} The server refuses.
 */
export async function requestToken(
  server: Server,
  grant: string,
  parameters: URLSearchParams,
  context: CredentialContext,
): Promise<Token> {
  const { oauth, metadata, client, authentication, options } = server;
  const endpoint = endpointOf(server, "token_endpoint", "tokenEndpoint");
  return await orExplain(`get a token from "${endpoint.href}"`, async () => {
    const response = await oauth.genericTokenEndpointRequest(
      metadata,
      client,
      authentication,
      grant,
      parameters,
      options,
    );
    const trimmed = await trimResponse(response);
    const token = await oauth.processGenericTokenEndpointResponse(
      metadata,
      client,
      trimmed.response,
    );
    return toToken(token, trimmed.idToken, context);
  });
}

/**
 * The parameters of a token request: those that are given, the optional ones of the credentials, and their further
 * ones, which replace others of their name.
 */
export function parametersOf(
  { scope, audience, resource, parameters = {} }: OAuth2Credentials,
  given: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const all = new URLSearchParams(given);
  for (const [name, value] of Object.entries({ scope, audience, resource, ...parameters })) {
    if (value === undefined) continue;
    all.delete(name);
    // A list is one parameter for each value (RFC 8707, 2).
    for (const one of [value].flat()) all.append(name, one);
  }
  return all;
}

/** A response that oauth4webapi accepts, and the ID token that was removed from it. */
interface TrimmedResponse {
  readonly response: Response;
  readonly idToken: string | undefined;
}

/**
 * Removes what oauth4webapi would reject: the ID token, which cannot be validated if only endpoints are
 * given, and the challenge of a refusal, which would hide the reason in its body.
 */
export async function trimResponse(response: Response): Promise<TrimmedResponse> {
  const text = await response.text();
  const headers = new Headers(response.headers);
  for (const name of ["content-length", "content-encoding", "www-authenticate"]) {
    headers.delete(name);
  }
  const withBody = (body: string): Response =>
    new Response(body, { status: response.status, headers });
  try {
    const { id_token, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const idToken = typeof id_token === "string" ? id_token : undefined;
    return { response: withBody(JSON.stringify(rest)), idToken };
  } catch {
    // oauth4webapi reports what is wrong.
    return { response: withBody(text), idToken: undefined };
  }
}

/** Converts the response of a token endpoint, and hides its tokens. */
export function toToken(
  answer: TokenEndpointResponse,
  idToken: string | undefined,
  context: CredentialContext,
): Token {
  const { access_token, refresh_token, expires_in, token_type } = answer;
  context.hide(access_token);
  if (refresh_token !== undefined) context.hide(refresh_token);
  if (idToken !== undefined) context.hide(idToken);
  const obtainedAt = context.now();
  return {
    obtainedAt,
    accessToken: access_token,
    tokenType: token_type === "bearer" ? "Bearer" : token_type,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(idToken === undefined ? {} : { idToken }),
    ...(expires_in === undefined ? {} : { expiresAt: obtainedAt + lifetime(expires_in) }),
  };
}

/** In milliseconds, and slightly shorter, so that no token expires while it is sent. */
function lifetime(seconds: number): number {
  return seconds * 1000 - Math.min(10_000, seconds * 100);
}
