import {
  type AwsCredentials,
  CredentialError,
  type Credentials,
  type OAuth2Credentials,
  type OAuth2Grant,
} from "./authorizer.ts";

/** Returns the value of a variable. */
export type VariableLookup = (name: string) => unknown;

type Read = (
  words: readonly string[],
  lookup: VariableLookup,
  text: string,
) => Credentials | undefined;

const GRANTS: ReadonlyMap<string, OAuth2Grant> = new Map<string, OAuth2Grant>([
  ["client_credentials", "client_credentials"],
  ["authorization_code", "authorization_code"],
  ["code", "authorization_code"],
  ["device_code", "device_code"],
  ["password", "password"],
  ["refresh_token", "refresh_token"],
]);

/** Variable names of httpYac, and those of this project if they differ. */
const FIELDS: readonly (readonly [field: keyof OAuth2Credentials, ...names: string[]])[] = [
  ["issuer", "issuer", "discoveryUrl"],
  ["tokenEndpoint", "tokenEndpoint"],
  ["authorizationEndpoint", "authorizationEndpoint"],
  ["deviceAuthorizationEndpoint", "deviceCodeEndpoint", "deviceAuthorizationEndpoint"],
  ["clientId", "clientId"],
  ["clientSecret", "clientSecret"],
  ["clientAuthentication", "clientAuthentication"],
  ["scope", "scope"],
  ["audience", "audience"],
  ["resource", "resource"],
  ["username", "username"],
  ["password", "password"],
  ["refreshToken", "refreshToken"],
  ["redirectUri", "redirectUri"],
];

/** Schemes of `.http` files that do not form a valid header yet. */
const SCHEMES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["basic", (_words, _lookup, text) => readPair("basic", text)],
  ["digest", (_words, _lookup, text) => readPair("digest", text)],
  ["aws", ([id, secret, ...rest]) => readAws(id, secret, rest)],
  ["oauth2", readOAuth2],
  ["openid", readOAuth2],
]);

/**
 * Parses the value of an `Authorization` line of an `.http` file: `Basic user password`,
 * `Digest user password`, `AWS id secret region:…`, `OAuth2 client_credentials name`.
 *
 * @returns `undefined` if the value is a valid header already.
 * @throws {CredentialError} A grant is unknown, or a password, a key or variables are missing.
 */
export function readAuthorization(value: string, lookup: VariableLookup): Credentials | undefined {
  const [scheme = "", ...words] = value.trim().split(/[ \t]+/);
  const text = value.trim().slice(scheme.length).trim();
  return SCHEMES.get(scheme.toLowerCase())?.(words, lookup, text);
}

function readPair(type: "basic" | "digest", text: string): Credentials | undefined {
  // `Digest username="ada", …` is a complete header.
  if (type === "digest" && /^[\w*]+=/.test(text)) return undefined;
  // Base64 contains neither, so what has one is not a complete header. A user name has no colon.
  const end = text.search(/[ \t:]/);
  if (end === -1) {
    if (type === "basic" || text === "") return undefined;
    throw new CredentialError(
      "Cannot answer a digest challenge: the password is missing; write Digest username password",
    );
  }
  // Only the spaces before the password are separators.
  const password = text[end] === ":" ? text.slice(end + 1) : text.slice(end).trimStart();
  return { type, username: text.slice(0, end), password };
}

function readAws(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  rest: readonly string[],
): AwsCredentials | undefined {
  // `AWS id:signature` is a complete header of signature version 2.
  if (accessKeyId === undefined || accessKeyId.includes(":")) return undefined;
  if (secretAccessKey === undefined) {
    throw new CredentialError(
      "Cannot sign the request: the secret key is missing; write AWS id secret region:… service:…",
    );
  }
  const named = (name: string): string | undefined => {
    const at = rest.findIndex((word) => word.toLowerCase().startsWith(`${name}:`));
    const word = rest[at]?.slice(name.length + 1);
    return word === "" ? rest[at + 1] : word;
  };
  const [sessionToken, region, service] = [named("token"), named("region"), named("service")];
  return {
    type: "aws",
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(region === undefined ? {} : { region }),
    ...(service === undefined ? {} : { service }),
  };
}

function readOAuth2(words: readonly string[], lookup: VariableLookup): OAuth2Credentials {
  const [word = "client_credentials", name = "oauth2"] = words;
  const grant = GRANTS.get(word.toLowerCase());
  if (grant === undefined) {
    throw new CredentialError(
      `Cannot use the OAuth 2 grant "${word}": use one of ${[...GRANTS.keys()].join(", ")}`,
    );
  }
  const group = lookup(name);
  const find = (field: string): unknown => {
    const own = lookup(`${name}_${field}`);
    if (own !== undefined || typeof group !== "object" || group === null) return own;
    return Object.hasOwn(group, field) ? (group as Record<string, unknown>)[field] : undefined;
  };
  const fields = FIELDS.flatMap(([field, ...names]) => {
    const value = names.map(find).find((one) => one !== undefined && one !== null && one !== "");
    return value === undefined ? [] : [[field, String(value)]];
  });
  const credentials = { type: "oauth2", grant, ...Object.fromEntries(fields) } as OAuth2Credentials;
  if (typeof credentials.clientId !== "string") {
    throw new CredentialError(
      `Cannot get a token for "${name}": there is no variable ${name}_clientId, and no ${name} with a clientId`,
    );
  }
  return credentials;
}

/** Fields that are not secret; all others are. */
const PUBLIC: ReadonlySet<string> = new Set(
  (
    "type grant issuer tokenEndpoint authorizationEndpoint deviceAuthorizationEndpoint clientId " +
    "clientAuthentication scope audience resource redirectUri parameters username name in accessKeyId region service"
  ).split(" "),
);

/** The secret strings of credentials. */
export function secretTexts(credentials: Credentials): readonly string[] {
  return Object.entries(credentials).flatMap(([name, value]) =>
    PUBLIC.has(name) || typeof value !== "string" || value === "" ? [] : [value],
  );
}
