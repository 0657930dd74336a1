/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes, text, or a source that can be read repeatedly. */
  readonly body: string | Uint8Array | { stream(): ReadableStream<Uint8Array> } | undefined;
}

/** What is added to a request. */
export interface Authorization {
  /** They replace headers of the same names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The URL to use instead. */
  readonly url?: URL;
  /** A note for the exchange. */
  readonly note?: string;
}

/** Adds credentials to requests. */
export interface Authorizer {
  /** Gets a token, for example, before the timeout of the request starts. */
  ready?(signal: AbortSignal): Promise<void>;
  /** The token, for placeholders; only for credentials that have one. */
  token?(signal: AbortSignal): Promise<Token>;
  /**
   * Records the status of a response to a request with a token.
   *
   * @param sent The token as it was sent.
   * @param signal Ends the wait for a new token, as in the methods below.
   * @returns A new token, if that one was rejected and a new one may help.
   */
  refreshRejected?(sent: string, status: number, signal: AbortSignal): Promise<Token | undefined>;
  authorize(request: OutgoingRequest, signal?: AbortSignal): Authorization | Promise<Authorization>;
  /** Returns what to send instead after a refusal, if anything may help. */
  answerChallenge?(
    request: OutgoingRequest,
    response: Pick<Response, "status" | "headers">,
    signal: AbortSignal,
  ): Promise<Authorization | undefined>;
  /** Takes what a response says about the next request: `nextnonce` (RFC 7616, 3.5). */
  received?(request: OutgoingRequest, response: Pick<Response, "headers">): void;
}

/** What authorizers need of a client. */
export interface CredentialContext extends LoginTools {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly tokens: TokenStore;
  /** Called with every new secret: tokens, codes. */
  readonly hide: (secret: string) => void;
  /** Milliseconds for each token request; 0 for no limit. */
  readonly timeout: number;
}

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
  readonly name?: string | undefined;
  /** The key. */
  readonly value: string;
  /** `header` by default. */
  readonly in?: "header" | "query" | "cookie" | undefined;
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
  readonly issuer?: string | undefined;
  /** The token endpoint; not needed with `issuer`. */
  readonly tokenEndpoint?: string | undefined;
  /** The authorization endpoint, where the user logs in. */
  readonly authorizationEndpoint?: string | undefined;
  /** The device authorization endpoint (RFC 8628). */
  readonly deviceAuthorizationEndpoint?: string | undefined;
  /** The client ID. */
  readonly clientId: string;
  /** The client secret; left out for a public client. */
  readonly clientSecret?: string | undefined;
  /** How the client authenticates at the token endpoint; `basic` by default. */
  readonly clientAuthentication?: "basic" | "post" | undefined;
  /** The scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** The audience of the token, for servers that require it. */
  readonly audience?: string | undefined;
  /** The API that the token is for (RFC 8707). */
  readonly resource?: string | undefined;
  /** For the grant `password`. */
  readonly username?: string | undefined;
  /** For the grant `password`. */
  readonly password?: string | undefined;
  /** For the grant `refresh_token`. */
  readonly refreshToken?: string | undefined;
  /** The loopback URL for the grant `authorization_code`; any free port by default. */
  readonly redirectUri?: string | undefined;
  /** Further parameters of the requests to the authorization and token endpoints; a list is one for each value. */
  readonly parameters?: { readonly [name: string]: string | readonly string[] } | undefined;
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
  readonly sessionToken?: string | undefined;
  /** Derived from the host by default. */
  readonly region?: string | undefined;
  /** Derived from the host by default. */
  readonly service?: string | undefined;
}

/** The credentials of a request. */
export type Credentials =
  | BasicCredentials
  | BearerCredentials
  | ApiKeyCredentials
  | DigestCredentials
  | OAuth2Credentials
  | AwsCredentials;

/**
 * Credentials could not be used: the token server refused, the login was not completed, or a challenge is
 * not supported. The request itself was not sent, or was refused.
 */
export class CredentialError extends Error {
  /** Always `CredentialError`. */
  override readonly name = "CredentialError";
}

/** What the user has to do to log in. */
export type LoginPrompt =
  | {
      /** Open `url` in a browser, which is then redirected to this machine. */
      readonly kind: "browser";
      readonly url: string;
    }
  | {
      /** Open `url` on any device and enter `code`. */
      readonly kind: "device";
      readonly url: string;
      readonly code: string;
      /** The URL that includes the code, if the server has one. */
      readonly completeUrl?: string | undefined;
      readonly expiresAt: Date;
    };

/** Listens on loopback for the redirect of a login. */
export interface RedirectListener {
  /** The URL of the listener. */
  readonly redirectUri: string;
  /** Waits for the redirect and returns its URL. */
  wait(signal: AbortSignal): Promise<URL>;
  /** Stops listening. */
  close(): Promise<void> | void;
}

/** How a client logs in with a browser. */
export interface LoginTools {
  /** Shows the prompt, and opens a browser if there is one. */
  readonly login?: ((prompt: LoginPrompt) => Promise<void> | void) | undefined;
  /**
   * Listens on loopback, at `redirectUri` or any free port, for the redirect with `state`; others belong to
   * another login.
   */
  readonly listenForRedirect?:
    | ((redirectUri?: string, state?: string) => Promise<RedirectListener>)
    | undefined;
}

/**
 * Checks the required strings of credentials.
 *
 * @throws {TypeError} One is missing or not a string.
 */
export function checkStrings<C extends { readonly type: string }>(
  credentials: C,
  names: readonly (keyof C & string)[],
): void {
  for (const name of names) {
    if (typeof credentials[name] === "string") continue;
    throw new TypeError(
      `Cannot use credentials of the type "${credentials.type}": their ${name} is ${typeof credentials[name]}, not a string`,
    );
  }
}

/** The bytes of a body in chunks, so that memory never contains all of a stream. */
export async function* bodyBytes(body: OutgoingRequest["body"]): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (typeof body === "string") yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else {
    const reader = body.stream().getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  }
}

/** A token from a token endpoint. */
export interface Token {
  readonly accessToken: string;
  /** The scheme of its header, usually `Bearer`. */
  readonly tokenType: string;
  readonly refreshToken?: string;
  /** The ID token of OpenID Connect, which is not validated. */
  readonly idToken?: string;
  /** When it was received, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** When to renew it, in milliseconds since 1970; left out if the server does not say. */
  readonly expiresAt?: number;
}

/** The tokens of a session. */
export interface TokenStore {
  readonly size: number;
  get(key: string): Token | undefined;
  set(key: string, token: Token): void;
  delete(key: string): void;
  /**
   * Runs a task, or waits for the one that already runs for this key.
   *
   * @param task The signal that it is given is aborted when nobody waits for it any more.
   * @param signal Ends the wait of this caller.
   */
  once(
    key: string,
    task: (signal: AbortSignal) => Promise<Token>,
    signal: AbortSignal | undefined,
  ): Promise<Token>;
  /** Removes all tokens and returns how many there were. */
  clear(): number;
}

interface Task {
  readonly token: Promise<Token>;
  /** How many callers wait for it. */
  waiting: number;
  abort(reason: unknown): void;
}

/** Creates an empty store. */
export function createTokenStore(): TokenStore {
  const tokens = new Map<string, Token>();
  const tasks = new Map<string, Task>();
  const start = (key: string, run: (signal: AbortSignal) => Promise<Token>): Task => {
    const controller = new AbortController();
    const remove = (): void => {
      if (tasks.get(key) === task) tasks.delete(key);
    };
    const task: Task = {
      token: run(controller.signal).finally(remove),
      waiting: 0,
      abort(reason) {
        // Who asks from now on needs another one.
        remove();
        controller.abort(reason);
      },
    };
    tasks.set(key, task);
    return task;
  };
  return {
    get size() {
      return tokens.size;
    },
    get: (key) => tokens.get(key),
    set: (key, token) => void tokens.set(key, token),
    delete: (key) => void tokens.delete(key),
    once: (key, run, signal) => waitFor(tasks.get(key) ?? start(key, run), signal),
    clear() {
      const { size } = tokens;
      tokens.clear();
      return size;
    },
  };
}

/** Waits for a task that others may wait for as well; the last of them that leaves aborts it. */
function waitFor(task: Task, signal: AbortSignal | undefined): Promise<Token> {
  task.waiting += 1;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      task.waiting -= 1;
      if (task.waiting > 0) reject(signal?.reason);
      else task.abort(signal?.reason);
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    const settled = (): void => signal?.removeEventListener("abort", leave);
    task.token.finally(settled).then(resolve, reject);
  });
}
