import {
  createContent,
  createExchange,
  detailsOf,
  type Exchange,
  type HeaderList,
  isReplayed,
  learnAnswer,
  learnRequest,
  type SentRequest,
  type Show,
} from "../exchange/mod.ts";
import type { SecretStore, Secrets } from "../secrets/mod.ts";
import { type Hop, type Middleware, type Warn, withHeader } from "./attempt.ts";
import {
  type Authorization,
  type Authorizer,
  type Credentials,
  createAuthorizer,
  readAuthorization,
  secretTexts,
  type Token,
  type TokenStore,
  type VariableLookup,
} from "./auth/mod.ts";
import { type CookieJar, withCookies } from "./cookies.ts";
import type { ConnectionOptions, HttpOptions, SendOptions } from "./options.ts";
import type { OriginRule } from "./origin-rule.ts";
import type { ResolvedRequest } from "./prepare.ts";
import { drainBody } from "./read-body.ts";
import type { InFlight, InFlightRequest } from "./sender.ts";
import { compressBody, isStreamed } from "./streamed-body.ts";
import {
  clientSettings,
  createFetch,
  createTransportSelector,
  type SelectTransport,
} from "./transport.ts";

/** What the cookies and credentials of a client's requests come from. */
export interface AuthContext extends LoginObserver {
  readonly cookies: CookieJar;
  readonly tokens: TokenStore;
  readonly logins: LoginTokens;
  /** By credentials and transport. An authorizer is reused because it remembers a nonce or a token. */
  readonly authorizers: Map<string, Promise<Authorizer>>;
  readonly secrets: SecretStore;
  readonly inFlight: InFlight;
  readonly lookup: VariableLookup;
}

interface ResolvedCredentials {
  readonly authorizer: Authorizer;
  /** Whether they replace the `Authorization` header of the request. */
  readonly isWritten: boolean;
}

/** How token requests are sent. */
interface TokenTransport {
  readonly select: SelectTransport;
  /** The connection options of the send. */
  readonly connection?: ConnectionOptions | undefined;
  /** Milliseconds for each of their requests; 0 for no limit. */
  readonly timeout: number;
}

/** Schemes of `.http` files that do not form a valid header. */
const FILE_SCHEMES = /^(?:basic|digest|aws|oauth2|openid)\b/i;

/**
 * Finds the credentials of a request and waits until they are ready. Those of the send come first, then
 * the `Authorization` header, then those of the client.
 *
 * @throws {NoResponseError} The request was aborted meanwhile.
 * @throws {CredentialError} There is no token.
 */
export async function resolveCredentials(
  headers: HeaderList,
  flight: InFlightRequest,
  sendOptions: SendOptions,
  options: HttpOptions,
  context: AuthContext,
  transport: TokenTransport,
): Promise<ResolvedCredentials | undefined> {
  const header = headers.find(isAuthorization)?.[1];
  const written =
    sendOptions.auth === undefined && header !== undefined && FILE_SCHEMES.test(header)
      ? readAuthorization(header, context.lookup)
      : undefined;
  const clientAuth = header === undefined ? options.auth : undefined;
  const credentials = sendOptions.auth ?? written ?? clientAuth;
  if (!credentials) return undefined;
  const authorizer = await findAuthorizer(credentials, options, context, transport);
  // Not under the deadline of the request: a person may have to log in.
  if (authorizer.ready) await context.inFlight.wait(flight, sendOptions.signal, authorizer.ready);
  return { authorizer, isWritten: written !== undefined };
}

/** Finds the authorizer of credentials, or creates it. */
function findAuthorizer(
  credentials: Credentials,
  { login, listenForRedirect, now }: HttpOptions,
  {
    authorizers,
    tokens,
    secrets,
    ...observer
  }: LoginObserver & Pick<AuthContext, "authorizers" | "tokens" | "secrets">,
  { select, connection, timeout }: TokenTransport,
): Promise<Authorizer> {
  for (const text of secretTexts(credentials)) secrets.hide(text);
  const key = JSON.stringify([credentials, connection, timeout]);
  const known = authorizers.get(key);
  if (known !== undefined) return known;
  const created = createAuthorizer(credentials, {
    fetch: observeLogins(createFetch(select, connection), observer, secrets),
    now: () => (now === undefined ? Date.now() : now().getTime()),
    tokens,
    hide: (text) => secrets.hide(text),
    timeout,
    ...(login === undefined ? {} : { login }),
    ...(listenForRedirect === undefined ? {} : { listenForRedirect }),
  });
  authorizers.set(key, created);
  created.catch(() => authorizers.delete(key));
  return created;
}

/** The middleware for tokens, credentials and cookies, the outermost first. */
export function createAuthMiddleware(
  credentials: ResolvedCredentials | undefined,
  keepCookies: boolean,
  { cookies, logins }: Pick<AuthContext, "cookies" | "logins">,
  origin: OriginRule,
  warn: Warn,
): readonly Middleware[] {
  const middleware: Middleware[] = [];
  if (logins.given.size > 0) middleware.push(origin.guard(withFreshTokens(logins, warn)));
  if (credentials !== undefined) {
    middleware.push(origin.guard(withCredentials(credentials.authorizer, warn)));
  }
  // Not guarded: a cookie jar has its own rules for each URL.
  if (keepCookies) middleware.push(withCookies(cookies, warn));
  return middleware;
}

/** Whether cookies are stored and sent. */
export function keepsCookies(sendOptions: SendOptions, options: HttpOptions): boolean {
  return sendOptions.cookies ?? options.cookies ?? true;
}

function isAuthorization([name]: HeaderList[number]): boolean {
  return name.toLowerCase() === "authorization";
}

/** Removes an `Authorization` header that the credentials replace, and compresses the body if asked to. */
export async function applyRequestOptions(
  request: ResolvedRequest,
  credentials: ResolvedCredentials | undefined,
  { compress }: SendOptions,
): Promise<ResolvedRequest> {
  const headers = credentials?.isWritten
    ? request.headers.filter((header) => !isAuthorization(header))
    : request.headers;
  if (compress === undefined || request.body === undefined) return { ...request, headers };
  return {
    ...request,
    headers: [
      ...headers.filter(([name]) => name.toLowerCase() !== "content-encoding"),
      ["Content-Encoding", compress],
    ],
    added: [...request.added, "Content-Encoding"],
    body: await compressBody(request.body, compress),
    ...(isStreamed(request.body) ? {} : { uncompressed: request.body }),
  };
}

/** Adds credentials to each hop, and answers a challenge once for each hop. */
function withCredentials(authorizer: Authorizer, warn: Warn): Middleware {
  return (next) => async (original) => {
    const hop = await authorizeHop(original, authorizer);
    const response = await next(hop);
    const authorization = await authorizer.answerChallenge?.(hop, response);
    if (authorization?.note !== undefined) warn(authorization.note, "info");
    if (authorization === undefined) return response;
    void drainBody(response);
    return await next(apply(hop, authorization));
  };
}

/** Adds credentials to a hop. */
export async function authorizeHop(hop: Hop, authorizer: Authorizer): Promise<Hop> {
  return apply(hop, await authorizer.authorize(hop));
}

function apply(hop: Hop, { headers, url }: Authorization): Hop {
  const start = url === undefined ? hop : { ...hop, url };
  return headers.reduce((result, [name, value]) => withHeader(result, name, value), start);
}

/** The tokens that placeholders of request texts took from logins. */
export interface LoginTokens {
  readonly given: ReadonlyMap<string, unknown>;
  /** Returns a new token for one that was rejected, if that may help. */
  refreshRejected(token: string, status: number): Promise<string | undefined>;
}

/** Resends a request once if its token was rejected: the server may have revoked it before it expired. */
function withFreshTokens(logins: LoginTokens, warn: Warn): Middleware {
  return (next) => async (hop) => {
    const response = await next(hop);
    let renewed = hop;
    for (const token of [...logins.given.keys()].filter((one) => contains(hop, one))) {
      const fresh = await logins.refreshRejected(token, response.status);
      if (fresh !== undefined && fresh !== token) renewed = replaceToken(renewed, token, fresh);
    }
    if (renewed === hop) return response;
    warn(
      "The server rejected the token of a login with 401; the request was sent again with a new one",
      "info",
    );
    void drainBody(response);
    return await next(renewed);
  };
}

function contains({ url, headers }: Hop, token: string): boolean {
  return url.href.includes(token) || headers.some(([, value]) => value.includes(token));
}

function replaceToken(hop: Hop, token: string, fresh: string): Hop {
  return {
    ...hop,
    url: new URL(hop.url.href.replaceAll(token, () => fresh)),
    headers: hop.headers.map(([name, value]) => [name, value.replaceAll(token, () => fresh)]),
  };
}

/** Gets the tokens of logins. */
export interface TokenSource {
  /** A valid token; `undefined` for credentials that have none. */
  get(credentials: Credentials, signal?: AbortSignal): Promise<Token | undefined>;
  /** A new token for one that was rejected, if that may help. */
  refreshRejected(
    credentials: Credentials,
    sent: string,
    status: number,
  ): Promise<Token | undefined>;
}

/** Creates a token source; `pending` shows each login and `abort` ends it. */
export function createTokenSource(
  options: HttpOptions,
  context: LoginObserver & Pick<AuthContext, "inFlight" | "secrets" | "tokens" | "authorizers">,
): TokenSource {
  const select = createTransportSelector(options, context.secrets);
  const { timeout } = clientSettings(options);
  const authorizerFor = (credentials: Credentials): Promise<Authorizer> =>
    findAuthorizer(credentials, options, context, { select, timeout });
  return {
    async get(credentials, signal) {
      const authorizer = await authorizerFor(credentials);
      const url = credentials.type === "oauth2" ? (credentials.tokenEndpoint ?? "") : "";
      const flight = { method: "LOGIN", url, startedAt: new Date() };
      return await context.inFlight.wait(
        flight,
        signal,
        async (waiting) => await authorizer.token?.(waiting),
      );
    },
    refreshRejected: async (credentials, sent, status) =>
      await (await authorizerFor(credentials)).refreshRejected?.(sent, status),
  };
}

/** What gets the exchanges of logins. */
interface LoginObserver {
  readonly show: Show;
  /** Called with the exchange of each token request, which is not in the history. */
  readonly addLogin: (exchange: Exchange) => void;
}

/** Wraps the fetch of logins, so that a recording has their requests as well. */
function observeLogins(
  fetch: typeof globalThis.fetch,
  { show, addLogin }: LoginObserver,
  secrets: Secrets,
): typeof globalThis.fetch {
  return async (input, init) => {
    const startedAt = new Date();
    const start = performance.now();
    const sent = toSentRequest(input, init);
    const response = await fetch(input, init);
    const wait = performance.now() - start;
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const { method, url, headers, body } = sent;
    const connection = detailsOf(response);
    const exchange = createExchange({
      request: sent,
      url,
      response,
      content: createContent([bytes]),
      cut: false,
      connection,
      timing: { startedAt, headers: wait, total: performance.now() - start },
      redirects: [],
      hops: [
        {
          ...{ method, url, headers, body, startedAt, wait, response, connection },
          isReplayed: isReplayed(response),
        },
      ],
      warnings: [],
      secrets: [secrets],
      show,
    });
    learnRequest(sent, secrets);
    learnAnswer(exchange, secrets);
    addLogin(exchange);
    return response;
  };
}

function toSentRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): SentRequest {
  const { method = "GET", headers, body } = input instanceof Request ? input : init;
  const url = input instanceof Request ? input.url : String(input);
  const isText = typeof body === "string" || body instanceof URLSearchParams;
  return {
    method,
    url,
    writtenUrl: url,
    headers: [...new Headers(headers)],
    added: [],
    // A login sends no streams.
    body: isText ? String(body) : undefined,
  };
}
