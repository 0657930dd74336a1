import { CredentialError, type OAuth2Credentials, type OAuth2Grant } from "./authorizer.ts";
import { readParameters } from "./read-authorization.ts";

/** A login of a JetBrains environment file. */
interface SecurityLogin {
  readonly credentials: OAuth2Credentials;
  /** `"Use ID Token"`: whether the ID token replaces the access token. */
  readonly usesIdToken: boolean;
}

const GRANTS: ReadonlyMap<string, OAuth2Grant> = new Map<string, OAuth2Grant>([
  ["client credentials", "client_credentials"],
  ["authorization code", "authorization_code"],
  ["device authorization", "device_code"],
  ["password", "password"],
]);

const FIELDS: readonly (readonly [key: string, field: keyof OAuth2Credentials])[] = [
  ["Token URL", "tokenEndpoint"],
  ["Auth URL", "authorizationEndpoint"],
  ["Device Auth URL", "deviceAuthorizationEndpoint"],
  ["Redirect URL", "redirectUri"],
  ["Client ID", "clientId"],
  ["Client Secret", "clientSecret"],
  ["Scope", "scope"],
  ["Username", "username"],
  ["Password", "password"],
];

/**
 * Reads the login `Security.Auth.NAME` of an `http-client.env.json` whose placeholders have been filled. Keys
 * without an effect are ignored, such as `PKCE`, which is always used.
 *
 * @param name The name of the login, for messages.
 * @param block The login.
 * @throws {CredentialError} It is incomplete, or its kind is not supported.
 * @see https://www.jetbrains.com/help/idea/oauth-2-0-authorization.html
 */
export function readSecurityLogin(
  name: string,
  block: { readonly [key: string]: unknown },
): SecurityLogin {
  const fail = (state: string): never => {
    throw new CredentialError(`Cannot log in as "${name}" of Security.Auth: ${state}`);
  };
  const text = (key: string): string | undefined => {
    const value = Object.hasOwn(block, key) ? block[key] : undefined;
    return value === undefined || value === null || value === "" ? undefined : String(value);
  };
  const type = text("Type");
  if (type?.toLowerCase() !== "oauth2")
    fail(`its "Type" is "${type ?? ""}", only OAuth2 is supported`);
  const written = text("Grant Type");
  const grant = GRANTS.get(written?.toLowerCase() ?? "");
  if (grant === undefined) {
    return fail(
      `its "Grant Type" is "${written ?? ""}"; Client Credentials, Authorization Code, Device Authorization and Password are supported`,
    );
  }
  const clientId = text("Client ID") ?? fail('it has no "Client ID"');
  const fields = FIELDS.flatMap(([key, field]) => {
    const value = text(key);
    return value === undefined ? [] : [[field, value] as const];
  });
  const place = text("Client Credentials")?.toLowerCase();
  const { clientSecret, ...open } = Object.fromEntries(fields) as Partial<OAuth2Credentials>;
  const parameters = readCustomParameters(block["Custom Request Parameters"]);
  const credentials: OAuth2Credentials = {
    ...open,
    type: "oauth2",
    grant,
    clientId,
    ...(clientSecret === undefined || place === "none" ? {} : { clientSecret }),
    // The default of JetBrains' client is the body.
    clientAuthentication: place === "basic" ? "basic" : "post",
    ...(parameters === undefined ? {} : { parameters }),
  };
  return { credentials, usesIdToken: block["Use ID Token"] === true };
}

/** A value is a string, a list, or an object with its use, which is ignored: both requests get all of them. */
function readCustomParameters(written: unknown): OAuth2Credentials["parameters"] {
  if (typeof written !== "object" || written === null) return undefined;
  const entries = Object.entries(written).map(([name, value]): [string, unknown] => [
    name,
    (value as { readonly Value?: unknown } | null)?.Value ?? value,
  ]);
  return readParameters(Object.fromEntries(entries));
}
