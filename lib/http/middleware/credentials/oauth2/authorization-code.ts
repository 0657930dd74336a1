import {
  type CredentialContext,
  CredentialError,
  type OAuth2Credentials,
  type Token,
} from "../authorizer/mod.ts";
import { endpointOf, orExplain, type Server, UNKNOWN_ISSUER } from "./server.ts";
import { extraParameters, toToken, trimResponse } from "./token-request.ts";

/** Gets a token by a login in the browser, which is redirected to this machine (RFC 8252, with PKCE). */
export async function requestByAuthorizationCode(
  server: Server,
  credentials: OAuth2Credentials,
  context: CredentialContext,
  signal: AbortSignal,
): Promise<Token> {
  const { oauth, metadata, client, authentication, options } = server;
  const { listenForRedirect, login } = context;
  if (listenForRedirect === undefined || login === undefined) {
    throw new CredentialError(
      "Cannot log in with a browser: this client cannot open one and listen for its redirect; " +
        "pass login and listenForRedirect to createClient",
    );
  }
  const endpoint = endpointOf(server, "authorization_endpoint", "authorizationEndpoint");
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  context.hide(verifier);
  const listener = await listenForRedirect(credentials.redirectUri, state);
  try {
    const url = new URL(endpoint);
    const parameters = {
      response_type: "code",
      client_id: credentials.clientId,
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...extraParameters(credentials),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    await login({ kind: "browser", url: url.href });
    const back = await listener.wait(signal);
    return await orExplain(`log in at "${endpoint.origin}"`, async () => {
      // Without a known issuer there is nothing to compare `iss` (RFC 9207) with.
      if (metadata.issuer === UNKNOWN_ISSUER) back.searchParams.delete("iss");
      const answer = oauth.validateAuthResponse(metadata, client, back, state);
      const code = answer.get("code");
      if (code !== null) context.hide(code);
      const response = await oauth.authorizationCodeGrantRequest(
        metadata,
        client,
        authentication,
        answer,
        listener.redirectUri,
        verifier,
        options,
      );
      const trimmed = await trimResponse(response);
      const token = await oauth.processAuthorizationCodeResponse(
        metadata,
        client,
        trimmed.response,
      );
      return toToken(token, trimmed.idToken, context);
    });
  } finally {
    await listener.close();
  }
}
