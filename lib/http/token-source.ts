import { type AuthContext, findAuthorizer } from "./authorization.ts";
import type { Authorizer, Credentials, Token } from "./middleware/credentials/authorizer/mod.ts";
import type { LoginObserver } from "./observe-logins.ts";
import type { HttpOptions } from "./outgoing-options.ts";
import { clientSettings, createTransportSelector } from "./transport/mod.ts";

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
