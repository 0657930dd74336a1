import {
  type Authorization,
  type Authorizer,
  type CredentialContext,
  CredentialError,
  checkStrings,
  type OAuth2Credentials,
  type OAuth2Grant,
  type OutgoingRequest,
  type Token,
} from "./authorizer.ts";
import { findServer, type Server } from "./oauth2-server.ts";
import { parametersOf, requestToken } from "./oauth2-token.ts";

type RequestGrant = (
  server: Server,
  credentials: OAuth2Credentials,
  context: CredentialContext,
  signal: AbortSignal,
) => Promise<Token>;

const GRANTS: { readonly [G in OAuth2Grant]: RequestGrant } = {
  client_credentials: (server, credentials, context) =>
    requestToken(server, "client_credentials", parametersOf(credentials), context),
  password(server, credentials, context) {
    const { username = "", password = "" } = credentials;
    const parameters = parametersOf(credentials, { username, password });
    return requestToken(server, "password", parameters, context);
  },
  refresh_token(server, credentials, context) {
    const { refreshToken } = credentials;
    if (refreshToken === undefined) {
      throw new CredentialError(
        "Cannot get a token with the grant refresh_token: refreshToken is missing",
      );
    }
    return refresh(server, refreshToken, credentials, context);
  },
  authorization_code: async (...all) =>
    await (await import("./oauth2-flows.ts")).requestByAuthorizationCode(...all),
  device_code: async (...all) =>
    await (await import("./oauth2-flows.ts")).requestByDeviceCode(...all),
};

/** Milliseconds. A younger token that no server has accepted was not rejected because it expired. */
const YOUNG = 5_000;
/** Grants without user interaction. */
const NON_INTERACTIVE: ReadonlySet<OAuth2Grant> = new Set([
  "client_credentials",
  "password",
  "refresh_token",
]);
const REPLACED =
  "The server rejected the token with 401; the request was sent again with a new one";

/** The state of an authorizer. */
interface Login {
  readonly credentials: OAuth2Credentials;
  readonly context: CredentialContext;
  /** The key of its token in the store. */
  readonly key: string;
  /** The last token that a server accepted. */
  accepted: string | undefined;
}

/** Gets a token if there is no valid one, and sends it with each request (RFC 6749). */
export function createOAuth2(
  credentials: OAuth2Credentials,
  context: CredentialContext,
): Authorizer {
  checkStrings(credentials, ["clientId", "grant"]);
  if (!Object.hasOwn(GRANTS, credentials.grant)) {
    throw new TypeError(
      `Cannot use the OAuth 2 grant "${credentials.grant}": use one of ${Object.keys(GRANTS).join(", ")}`,
    );
  }
  const names = Object.keys({ ...credentials, ...credentials.parameters }).sort();
  const key = JSON.stringify(credentials, names);
  const login: Login = { credentials, context, key, accepted: undefined };
  return {
    async ready(signal) {
      await getToken(login, signal);
    },
    token: (signal) => getToken(login, signal),
    refreshRejected: (sent, status, signal) => refreshRejected(login, sent, status, signal),
    async authorize(_, signal) {
      return toHeader(await getToken(login, signal));
    },
    async answerChallenge(request, response, signal) {
      const token = await refreshRejected(login, sentToken(request), response.status, signal);
      return token && { ...toHeader(token), note: REPLACED };
    },
  };
}

async function getToken(
  { credentials, context, key }: Login,
  signal: AbortSignal | undefined,
): Promise<Token> {
  const { tokens } = context;
  const stored = tokens.get(key);
  if (stored !== undefined && isValid(stored, context.now())) return stored;
  const request = async (wanted: AbortSignal): Promise<Token> => {
    const server = await findServer(credentials, context, wanted);
    const token =
      (await refreshStored(server, stored, credentials, context)) ??
      (await GRANTS[credentials.grant](server, credentials, context, wanted));
    tokens.set(key, token);
    return token;
  };
  return await tokens.once(key, request, signal);
}

function isValid({ expiresAt }: Token, now: number): boolean {
  return expiresAt === undefined || now < expiresAt;
}

async function refreshStored(
  server: Server,
  stored: Token | undefined,
  credentials: OAuth2Credentials,
  context: CredentialContext,
): Promise<Token | undefined> {
  if (stored?.refreshToken === undefined) return undefined;
  try {
    const token = await refresh(server, stored.refreshToken, credentials, context);
    const { refreshToken, idToken } = stored;
    return { refreshToken, ...(idToken === undefined ? {} : { idToken }), ...token };
  } catch (error) {
    // The refresh token may have expired as well.
    if (error instanceof CredentialError) return undefined;
    throw error;
  }
}

async function refreshRejected(
  login: Login,
  sent: string,
  status: number,
  signal: AbortSignal,
): Promise<Token | undefined> {
  const { credentials, context, key } = login;
  if (status !== 401) {
    login.accepted = sent;
    return undefined;
  }
  const stored = context.tokens.get(key);
  if (stored === undefined) return undefined;
  // Another request has replaced the token meanwhile.
  if (stored.accessToken !== sent && stored.idToken !== sent) return await getToken(login, signal);
  const isSilent = NON_INTERACTIVE.has(credentials.grant) || stored.refreshToken !== undefined;
  const mayHaveEnded = login.accepted === sent || context.now() - stored.obtainedAt >= YOUNG;
  if (!isSilent || !mayHaveEnded) return undefined;
  context.tokens.set(key, { ...stored, expiresAt: 0 });
  return await getToken(login, signal);
}

function sentToken({ headers }: OutgoingRequest): string {
  const sent = headers.find(([name]) => name.toLowerCase() === "authorization")?.[1] ?? "";
  return sent.slice(sent.indexOf(" ") + 1);
}

function toHeader({ tokenType, accessToken }: Token): Authorization {
  return { headers: [["Authorization", `${tokenType} ${accessToken}`]] };
}

function refresh(
  server: Server,
  refreshToken: string,
  { scope }: OAuth2Credentials,
  context: CredentialContext,
): Promise<Token> {
  const parameters = new URLSearchParams({ refresh_token: refreshToken });
  if (scope !== undefined) parameters.set("scope", scope);
  return requestToken(server, "refresh_token", parameters, context);
}
