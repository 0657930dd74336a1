/**
 * `Authorization: Basic`, user name and password in Base64 (RFC 7617).
 *
 * @example
 * ```ts
 * const auth: BasicCredentials = { type: "basic", username: "ada", password: "secret" };
 * ```
 */
export interface BasicCredentials {
  /** The discriminant. */
  readonly type: "basic";
  /** The user name. */
  readonly username: string;
  /** Its password. */
  readonly password: string;
}

/** `Authorization: Bearer`, with a token from elsewhere (RFC 6750). */
export interface BearerCredentials {
  /** The discriminant. */
  readonly type: "bearer";
  /** The token. */
  readonly token: string;
}

/** A key in a header, in the query, or in a cookie. */
export interface ApiKeyCredentials {
  /** The discriminant. */
  readonly type: "apiKey";
  /** The name of the header, query field or cookie; `X-API-Key` by default. */
  readonly name?: string;
  /** The key. */
  readonly value: string;
  /** `header` by default. */
  readonly in?: "header" | "query" | "cookie";
}

/** `Authorization: Digest`, which answers the challenge of the server (RFC 7616). */
export interface DigestCredentials {
  /** The discriminant. */
  readonly type: "digest";
  /** The user name. */
  readonly username: string;
  /** Its password. */
  readonly password: string;
}

/** The OAuth 2 grants that are supported. */
export type OAuth2Grant =
  | "client_credentials"
  | "authorization_code"
  | "device_code"
  | "password"
  | "refresh_token";

/**
 * A token of an OAuth 2 (RFC 6749) or OpenID Connect server. It is requested when it is needed and kept until
 * it expires.
 *
 * @example
 * ```ts
 * const auth: OAuth2Credentials = {
 *   type: "oauth2",
 *   grant: "client_credentials",
 *   issuer: "https://login.example.com",
 *   clientId: "reports",
 *   clientSecret: "secret",
 * };
 * ```
 */
export interface OAuth2Credentials {
  /** The discriminant. */
  readonly type: "oauth2";
  /** The grant. */
  readonly grant: OAuth2Grant;
  /** The issuer, whose metadata names the endpoints. */
  readonly issuer?: string;
  /** The token endpoint; not needed with `issuer`. */
  readonly tokenEndpoint?: string;
  /** The authorization endpoint, where the user logs in. */
  readonly authorizationEndpoint?: string;
  /** The device authorization endpoint (RFC 8628). */
  readonly deviceAuthorizationEndpoint?: string;
  /** The client ID. */
  readonly clientId: string;
  /** The client secret; left out for a public client. */
  readonly clientSecret?: string;
  /** How the client authenticates at the token endpoint; `basic` by default. */
  readonly clientAuthentication?: "basic" | "post";
  /** The scopes, separated by spaces. */
  readonly scope?: string;
  /** The audience of the token, for servers that require it. */
  readonly audience?: string;
  /** The API that the token is for (RFC 8707). */
  readonly resource?: string;
  /** For the grant `password`. */
  readonly username?: string;
  /** For the grant `password`. */
  readonly password?: string;
  /** For the grant `refresh_token`. */
  readonly refreshToken?: string;
  /** The loopback URL for the grant `authorization_code`; any free port by default. */
  readonly redirectUri?: string;
  /** Further parameters of the requests to the authorization and token endpoints. */
  readonly parameters?: { readonly [name: string]: string };
}

/** `Authorization: AWS4-HMAC-SHA256`, a signature of the request (AWS Signature Version 4). */
export interface AwsCredentials {
  /** The discriminant. */
  readonly type: "aws";
  /** The access key ID. */
  readonly accessKeyId: string;
  /** The secret access key, which signs and is never sent. */
  readonly secretAccessKey: string;
  /** The session token of temporary keys. */
  readonly sessionToken?: string;
  /** Derived from the host by default. */
  readonly region?: string;
  /** Derived from the host by default. */
  readonly service?: string;
}

/** The credentials of a request. */
export type Credentials =
  | BasicCredentials
  | BearerCredentials
  | ApiKeyCredentials
  | DigestCredentials
  | OAuth2Credentials
  | AwsCredentials;
