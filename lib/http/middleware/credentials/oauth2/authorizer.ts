import type {
  Authorization,
  Authorizer,
  CredentialContext,
  OAuth2Credentials,
  OAuth2Grant,
  Outgoing,
  Token,
} from "../authorizer/mod.ts";
import { CredentialError, checkTexts } from "../authorizer/mod.ts";
import { findServer, type Server } from "./server.ts";
import { extraParameters, requestToken } from "./token-request.ts";

type Get = (
  server: Server,
  credentials: OAuth2Credentials,
  context: CredentialContext,
  signal: AbortSignal,
) => Promise<Token>;

const GRANTS: { readonly [G in OAuth2Grant]: Get } = {
  client_credentials: (server, credentials, context) =>
    requestToken(server, "client_credentials", extraParameters(credentials), context),
  password(server, credentials, context) {
    const { username = "", password = "" } = credentials;
    const parameters = { username, password, ...extraParameters(credentials) };
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
    await (await import("./authorization-code.ts")).getByAuthorizationCode(...all),
  device_code: async (...all) => await (await import("./device-code.ts")).getByDeviceCode(...all),
};

/** A refused token that is younger, and that no server has taken, is not to blame. */
const YOUNG = 5_000;
/** Grants that need nobody at the screen. */
const SILENT: ReadonlySet<OAuth2Grant> = new Set([
  "client_credentials",
  "password",
  "refresh_token",
]);
/** What is told where a new token was got in place of one that was refused. */
const RENEWED = "The server rejected the token with 401; the request was sent again with a new one";

function holds({ expiresAt }: Token, now: number): boolean {
  return expiresAt === undefined || now < expiresAt;
}
const NEVER = new AbortController().signal;

/** Gets a token when there is none that holds, and sends it along. */
export function createOAuth2(
  credentials: OAuth2Credentials,
  context: CredentialContext,
): Authorizer {
  checkTexts(credentials, ["clientId", "grant"]);
  if (!Object.hasOwn(GRANTS, credentials.grant)) {
    throw new TypeError(
      `Cannot use the OAuth 2 grant "${credentials.grant}": use one of ${Object.keys(GRANTS).join(", ")}`,
    );
  }
  const { tokens } = context;
  const key = JSON.stringify(
    credentials,
    Object.keys({ ...credentials, ...credentials.parameters }).sort(),
  );

  /** The token that was taken last. */
  let taken: string | undefined;

  async function get(signal: AbortSignal): Promise<Token> {
    const kept = tokens.get(key);
    if (kept !== undefined && holds(kept, context.now())) return kept;
    return await tokens.once(key, async () => {
      const server = await findServer(credentials, context, signal);
      const token = await renew(server, kept, signal);
      tokens.set(key, token);
      return token;
    });
  }

  async function renew(
    server: Server,
    kept: Token | undefined,
    signal: AbortSignal,
  ): Promise<Token> {
    if (kept?.refreshToken !== undefined) {
      try {
        const token = await refresh(server, kept.refreshToken, credentials, context);
        const { refreshToken, idToken } = kept;
        return { refreshToken, ...(idToken === undefined ? {} : { idToken }), ...token };
      } catch (error) {
        // The refresh token may have ended, too; then all begins anew.
        if (!(error instanceof CredentialError)) throw error;
      }
    }
    return await GRANTS[credentials.grant](server, credentials, context, signal);
  }

  async function refreshRejected(sent: string, status: number): Promise<Token | undefined> {
    if (status !== 401) {
      taken = sent;
      return undefined;
    }
    const kept = tokens.get(key);
    if (kept === undefined) return undefined;
    // Another send has got a new one meanwhile: this one was refused with that before it.
    if (kept.accessToken !== sent && kept.idToken !== sent) return await get(NEVER);
    const isSilent = SILENT.has(credentials.grant) || kept.refreshToken !== undefined;
    const mayHaveEnded = taken === sent || context.now() - kept.obtainedAt >= YOUNG;
    if (!isSilent || !mayHaveEnded) return undefined;
    // The server may have forgotten a token before its time.
    tokens.set(key, { ...kept, expiresAt: 0 });
    return await get(NEVER);
  }

  return {
    async ready(signal) {
      await get(signal);
    },
    token: get,
    refreshRejected,
    async authorize() {
      return toHeader(await get(NEVER));
    },
    async answer(request, response) {
      const token = await refreshRejected(sentToken(request), response.status);
      return token && { ...toHeader(token), remark: RENEWED };
    },
  };
}

function sentToken({ headers }: Outgoing): string {
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
  const parameters = { refresh_token: refreshToken, ...(scope === undefined ? {} : { scope }) };
  return requestToken(server, "refresh_token", parameters, context);
}
