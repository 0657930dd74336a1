import type { TokenEndpointResponse } from "oauth4webapi";
import type { CredentialContext, OAuth2Credentials, Token } from "../authorizer/mod.ts";
import { endpointOf, orExplain, type Server } from "./server.ts";

/** Asks the token endpoint for a token. */
export async function requestToken(
  server: Server,
  grant: string,
  parameters: Readonly<Record<string, string>>,
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
      { ...parameters },
      options,
    );
    const answer = await trimAnswer(response);
    const token = await oauth.processGenericTokenEndpointResponse(
      metadata,
      client,
      answer.response,
    );
    return toToken(token, answer.idToken, context);
  });
}

/** What every token request may say beside its grant. */
export function extraParameters(credentials: OAuth2Credentials): Record<string, string> {
  const { scope, audience, resource, parameters } = credentials;
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
    ...(resource === undefined ? {} : { resource }),
    ...parameters,
  };
}

/** An answer of the server, and what was taken out of it. */
export interface TrimmedAnswer {
  readonly response: Response;
  readonly idToken: string | undefined;
}

/**
 * Makes an answer fit for the library. The identity in it says who logged in, which is
 * handed on unread; checking it needs the issuer, which is not known where only endpoints are given. The
 * challenge of a refusal keeps the library from reading the reason in its body.
 */
export async function trimAnswer(response: Response): Promise<TrimmedAnswer> {
  const text = await response.text();
  const headers = new Headers(response.headers);
  for (const name of ["content-length", "content-encoding", "www-authenticate"]) {
    headers.delete(name);
  }
  const again = (body: string): Response =>
    new Response(body, { status: response.status, headers });
  try {
    const { id_token, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const idToken = typeof id_token === "string" ? id_token : undefined;
    return { response: again(JSON.stringify(rest)), idToken };
  } catch {
    // The library says what is wrong with it.
    return { response: again(text), idToken: undefined };
  }
}

/** Keeps what is needed of an answer; every token in it is a secret. */
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

/** In milliseconds, and a little less than the server says, so that no token ends on its way. */
function lifetime(seconds: number): number {
  return seconds * 1000 - Math.min(10_000, seconds * 100);
}
