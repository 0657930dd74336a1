/** `Authorization: Basic`, name and password in Base64 (RFC 7617). */
export interface BasicCredentials {
  /** Tells the kinds apart. */
  readonly type: "basic";
  /** The name of the account. */
  readonly username: string;
  /** Its password. */
  readonly password: string;
}

/** `Authorization: Bearer`, a token that was got elsewhere (RFC 6750). */
export interface BearerCredentials {
  /** Tells the kinds apart. */
  readonly type: "bearer";
  /** The token. */
  readonly token: string;
}

/** A key in a header, in the query, or in a cookie. */
export interface ApiKeyCredentials {
  /** Tells the kinds apart. */
  readonly type: "apiKey";
  /** The name of the header, field or cookie; the header `X-API-Key` where it is left out. */
  readonly name?: string;
  /** The key. */
  readonly value: string;
  /** `header` where it is left out. */
  readonly in?: "header" | "query" | "cookie";
}

/** `Authorization: Digest`, an answer to the server's challenge (RFC 7616). */
export interface DigestCredentials {
  /** Tells the kinds apart. */
  readonly type: "digest";
  /** The name of the account. */
  readonly username: string;
  /** Its password. */
  readonly password: string;
}

/** How a token is got. */
export type OAuth2Grant =
  | "client_credentials"
  | "authorization_code"
  | "device_code"
  | "password"
  | "refresh_token";

/** A token of an OAuth 2 or OpenID Connect server, got when it is needed and kept until it ends. */
export interface OAuth2Credentials {
  /** Tells the kinds apart. */
  readonly type: "oauth2";
  /** How the token is got. */
  readonly grant: OAuth2Grant;
  /** Where the server describes itself; then no endpoint has to be given. */
  readonly issuer?: string;
  /** Where tokens are handed out. */
  readonly tokenEndpoint?: string;
  /** Where a person logs in. */
  readonly authorizationEndpoint?: string;
  /** Where a device asks for its code. */
  readonly deviceAuthorizationEndpoint?: string;
  /** The name that the server knows the client by. */
  readonly clientId: string;
  /** Left out for a public client. */
  readonly clientSecret?: string;
  /** How the client names itself at the token endpoint; `basic` where it is left out. */
  readonly clientAuthentication?: "basic" | "post";
  /** Separated by blanks. */
  readonly scope?: string;
  /** Whom the token is for, where the server asks. */
  readonly audience?: string;
  /** The API that the token is for (RFC 8707). */
  readonly resource?: string;
  /** For the grant `password`. */
  readonly username?: string;
  /** For the grant `password`. */
  readonly password?: string;
  /** For the grant `refresh_token`. */
  readonly refreshToken?: string;
  /** Loopback address for the grant `authorization_code`; any free port where it is left out. */
  readonly redirectUri?: string;
  /** Further parameters for the authorization or token endpoint. */
  readonly parameters?: { readonly [name: string]: string };
}

/** `Authorization: AWS4-HMAC-SHA256`, a signature over the request. */
export interface AwsCredentials {
  /** Tells the kinds apart. */
  readonly type: "aws";
  /** The name of the key. */
  readonly accessKeyId: string;
  /** The key; it signs and is never sent. */
  readonly secretAccessKey: string;
  /** Goes with temporary keys. */
  readonly sessionToken?: string;
  /** Read from the host where it is left out. */
  readonly region?: string;
  /** Read from the host where it is left out. */
  readonly service?: string;
}

/** What a request has to carry so that a server lets it in. */
export type Credentials =
  | BasicCredentials
  | BearerCredentials
  | ApiKeyCredentials
  | DigestCredentials
  | OAuth2Credentials
  | AwsCredentials;
