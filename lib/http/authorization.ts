import type { HeaderList } from "../exchange/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
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
  type GivenTokens,
  withCookies,
  withCredentials,
  withFreshTokens,
} from "./middleware/mod.ts";
import type { OriginRule } from "./origin-rule.ts";
import type { HttpOptions } from "./outgoing-options.ts";
import { compressBody } from "./request/bodies/mod.ts";
import type { Middleware, ResolvedRequest, Tell } from "./request/mod.ts";
import type { SendOptions } from "./send-options.ts";

/** What requests are fitted out from. */
export interface AuthContext {
  readonly cookies: CookieJar;
  readonly tokens: TokenStore;
  readonly logins: GivenTokens;
  /** Kept for what they learn: a nonce, a token. */
  readonly authorizers: Map<string, Promise<Authorizer>>;
  readonly secrets: SecretStore;
}

/** The credentials of a request, found before it is resolved. */
export interface ResolvedCredentials {
  readonly authorizer: Authorizer;
  /** Whether the written `Authorization` line stands for them and is not sent. */
  readonly isWritten: boolean;
}

/** How credentials reach servers of their own. */
export interface CredentialTransport {
  readonly fetch: typeof fetch;
  /** Milliseconds for each of their requests. */
  readonly timeout: number;
}

/** Schemes that people write in `.http` files and no server reads. */
const WRITTEN = /^(?:basic|digest|aws|oauth2|openid)\b/i;

/** Finds the credentials of a request: those of the send, the written ones, those of the client. */
export async function resolveCredentials(
  headers: HeaderList,
  sendOptions: SendOptions,
  options: HttpOptions,
  wardrobe: AuthContext,
  lookup: VariableLookup,
  reaching: () => CredentialTransport,
): Promise<ResolvedCredentials | undefined> {
  const written = headers.find(isAuthorization)?.[1];
  if (sendOptions.auth === undefined && written === undefined && !options.auth) return undefined;
  const read =
    sendOptions.auth === undefined && written !== undefined && WRITTEN.test(written)
      ? readAuthorization(written, lookup)
      : undefined;
  const own = written === undefined ? options.auth : undefined;
  const credentials = sendOptions.auth ?? read ?? own;
  if (!credentials) return undefined;
  const authorizer = await authorizerOf(credentials, options, wardrobe, reaching());
  return { authorizer, isWritten: read !== undefined };
}

/** Credentials at work, the same for all requests of a session. */
export function authorizerOf(
  credentials: Credentials,
  options: HttpOptions,
  { authorizers, tokens, secrets }: Pick<AuthContext, "authorizers" | "tokens" | "secrets">,
  { fetch, timeout }: CredentialTransport,
): Promise<Authorizer> {
  for (const text of secretTexts(credentials)) secrets.hide(text);
  const key = JSON.stringify(credentials);
  const known = authorizers.get(key);
  if (known !== undefined) return known;
  const { login, listenForRedirect, now } = options;
  const made = createAuthorizer(credentials, {
    fetch,
    now: () => (now === undefined ? Date.now() : now().getTime()),
    tokens,
    hide: (text) => secrets.hide(text),
    timeout,
    ...(login === undefined ? {} : { login }),
    ...(listenForRedirect === undefined ? {} : { listenForRedirect }),
  });
  authorizers.set(key, made);
  made.catch(() => authorizers.delete(key));
  return made;
}

/** What adds tokens, credentials and cookies to each hop of a request, the outermost first. */
export function middlewareOf(
  pass: ResolvedCredentials | undefined,
  sendOptions: SendOptions,
  options: HttpOptions,
  { cookies, logins }: Pick<AuthContext, "cookies" | "logins">,
  origin: OriginRule,
  tell: Tell,
): readonly Middleware[] {
  const middleware: Middleware[] = [];
  if (logins.given.size > 0) middleware.push(origin.guard(withFreshTokens(logins, tell)));
  if (pass !== undefined) middleware.push(origin.guard(withCredentials(pass.authorizer, tell)));
  // A jar asks of each URL by itself what is for it.
  if (keepsCookies(sendOptions, options)) middleware.push(withCookies(cookies, tell));
  return middleware;
}

/** Whether cookies are kept and sent. */
export function keepsCookies(sendOptions: SendOptions, options: HttpOptions): boolean {
  return sendOptions.cookies ?? options.cookies ?? true;
}

function isAuthorization([name]: HeaderList[number]): boolean {
  return name.toLowerCase() === "authorization";
}

/** The request without what stands for something else, its body compressed where that is wanted. */
export async function applyRequestOptions(
  request: ResolvedRequest,
  pass: ResolvedCredentials | undefined,
  { compress }: SendOptions,
): Promise<ResolvedRequest> {
  const headers = pass?.isWritten
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
  };
}
