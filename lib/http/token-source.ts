import { authorizerOf } from "./authorization.ts";
import type { Authorizer, Credentials, Token } from "./middleware/credentials/authorizer/mod.ts";
import type { HttpOptions } from "./outgoing-options.ts";
import type { SenderParts } from "./sender.ts";
import { createFetch, createTransportSelector } from "./transport/mod.ts";

/** Tokens of logins. */
export interface TokenSource {
  /** The token that holds, or a new one; `undefined` for credentials that have none. */
  get(credentials: Credentials, signal?: AbortSignal): Promise<Token | undefined>;
  /** Another token in place of one that was refused, where that may help. */
  refreshRejected(
    credentials: Credentials,
    sent: string,
    status: number,
  ): Promise<Token | undefined>;
}

/** Creates what gets tokens; `pending` and `abort` know of each until it is there. */
export function createTokenSource(
  options: HttpOptions,
  parts: Pick<SenderParts, "inFlight" | "secrets" | "tokens" | "authorizers">,
): TokenSource {
  const reach = createTransportSelector(options, parts.secrets);
  const authorizerFor = (credentials: Credentials): Promise<Authorizer> =>
    authorizerOf(credentials, options, parts, {
      fetch: createFetch(reach),
      timeout: options.timeout ?? 30_000,
    });
  return {
    async get(credentials, signal) {
      const authorizer = await authorizerFor(credentials);
      const url = credentials.type === "oauth2" ? (credentials.tokenEndpoint ?? "") : "";
      const flight = { method: "LOGIN", url, startedAt: new Date() };
      // A person may have to log in.
      return await parts.inFlight.wait(
        flight,
        signal,
        async (waiting) => await authorizer.token?.(waiting),
      );
    },
    refreshRejected: async (credentials, sent, status) =>
      await (await authorizerFor(credentials)).refreshRejected?.(sent, status),
  };
}
