import {
  type CredentialContext,
  CredentialError,
  type OAuth2Credentials,
  type Token,
} from "../authorizer/mod.ts";
import { endpointOf, orExplain, type Server } from "./server.ts";
import { extraParameters, requestToken, trimResponse } from "./token-request.ts";

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
      extraParameters(credentials),
      options as Parameters<typeof oauth.deviceAuthorizationRequest>[4],
    );
    const { response } = await trimResponse(asked);
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
      return await requestToken(server, GRANT, { device_code: device.device_code }, context);
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

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
