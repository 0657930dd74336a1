import type { Hop, Middleware, Warn } from "../request/mod.ts";
import { drainBody } from "../response/mod.ts";

/** The tokens that placeholders of request texts took from logins. */
export interface LoginTokens {
  readonly given: ReadonlyMap<string, unknown>;
  /** Returns a new token for one that was rejected, if that may help. */
  refreshRejected(token: string, status: number): Promise<string | undefined>;
}

/** Resends a request once if its token was rejected: the server may have revoked it before it expired. */
export function withFreshTokens(logins: LoginTokens, warn: Warn): Middleware {
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
