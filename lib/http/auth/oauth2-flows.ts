import {
  type CredentialContext,
  CredentialError,
  type OAuth2Credentials,
  type Token,
} from "./authorizer.ts";
import { endpointOf, orExplain, type Server, UNKNOWN_ISSUER } from "./oauth2-server.ts";
import { parametersOf, requestToken, toToken, trimResponse } from "./oauth2-token.ts";
import { pause } from "./pause.ts";

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
    const parameters = parametersOf(credentials, {
      response_type: "code",
      client_id: credentials.clientId,
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    for (const name of parameters.keys()) url.searchParams.delete(name);
    for (const [name, value] of parameters) url.searchParams.append(name, value);
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

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Gets a token by polling, while the user enters a code on another device (RFC 8628). */
export async function requestByDeviceCode(
  server: Server,
  credentials: OAuth2Credentials,
  context: CredentialContext,
  signal: AbortSignal,
): Promise<Token> {
  const { oauth, metadata, client, authentication, options } = server;
  if (context.login === undefined) {
    throw new CredentialError(
      "Cannot log in by device code: this client cannot show the code; pass login to createClient",
    );
  }
  const endpoint = endpointOf(
    server,
    "device_authorization_endpoint",
    "deviceAuthorizationEndpoint",
  );
  const device = await orExplain(`get a device code from "${endpoint.href}"`, async () => {
    const asked = await oauth.deviceAuthorizationRequest(
      metadata,
      client,
      authentication,
      parametersOf(credentials),
      options as Parameters<typeof oauth.deviceAuthorizationRequest>[4],
    );
    const { response } = await trimResponse(asked, "device_code");
    return oauth.processDeviceAuthorizationResponse(metadata, client, response);
  });
  context.hide(device.device_code);
  const expiresAt = context.now() + device.expires_in * 1000;
  await context.login({
    kind: "device",
    url: device.verification_uri,
    code: device.user_code,
    expiresAt: new Date(expiresAt),
    ...(device.verification_uri_complete === undefined
      ? {}
      : { completeUrl: device.verification_uri_complete }),
  });
  let interval = device.interval ?? 5;
  for (;;) {
    await pause(interval * 1000, signal);
    if (context.now() > expiresAt) {
      throw new CredentialError(
        `Cannot log in by device code: nobody entered the code within ${device.expires_in} s`,
      );
    }
    try {
      return await requestToken(
        server,
        GRANT,
        new URLSearchParams({ device_code: device.device_code }),
        context,
      );
    } catch (error) {
      const code = codeOf(error);
      if (code === "slow_down") interval += 5;
      else if (code !== "authorization_pending") throw error;
    }
  }
}

function codeOf(error: unknown): unknown {
  const { cause } = error as Error;
  return typeof cause === "object" && cause !== null && "error" in cause ? cause.error : undefined;
}
