import type { HeaderList } from "../exchange/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import type { InFlight, InFlightRequest } from "./in-flight.ts";
import type { CookieJar } from "./middleware/cookies/mod.ts";
import type {
  Authorizer,
  Credentials,
  TokenStore,
} from "./middleware/credentials/authorizer/mod.ts";
import {
  createAuthorizer,
  readAuthorization,
  secretTexts,
  type VariableLookup,
} from "./middleware/credentials/mod.ts";
import {
  type LoginTokens,
  withCookies,
  withCredentials,
  withFreshTokens,
} from "./middleware/mod.ts";
import { type LoginObserver, observeLogins } from "./observe-logins.ts";
import type { OriginRule } from "./origin-rule.ts";
import type { HttpOptions } from "./outgoing-options.ts";
import { compressBody, isStreamed } from "./request/bodies/mod.ts";
import type { Middleware, ResolvedRequest, Warn } from "./request/mod.ts";
import type { SendOptions } from "./send-options.ts";
import { type ConnectionOptions, createFetch, type SelectTransport } from "./transport/mod.ts";

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
export function findAuthorizer(
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
