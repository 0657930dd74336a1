import type { Hop, Middleware, Tell } from "../request/mod.ts";
import { drainBody } from "../response/mod.ts";

/** Tokens that texts have taken from logins, wherever they stand in a request now. */
export interface GivenTokens {
  readonly given: ReadonlyMap<string, unknown>;
  /** The token to be sent in place of a given one, where it was refused and a new one may help. */
  refreshRejected(token: string, status: number): Promise<string | undefined>;
}

/**
 * Sends a request again whose token of a login was refused, with a new one in the place of the old:
 * the server may have forgotten it before its time. Once.
 */
export function withFreshTokens(logins: GivenTokens, tell: Tell): Middleware {
  return (next) => async (hop) => {
    const response = await next(hop);
    let renewed = hop;
    for (const token of [...logins.given.keys()].filter((one) => carries(hop, one))) {
      const fresh = await logins.refreshRejected(token, response.status);
      if (fresh !== undefined && fresh !== token) renewed = replaceToken(renewed, token, fresh);
    }
    if (renewed === hop) return response;
    tell("The token of a login was refused with 401; the request was sent again with a new one");
    void drainBody(response);
    return await next(renewed);
  };
}

function carries({ url, headers }: Hop, token: string): boolean {
  return url.href.includes(token) || headers.some(([, value]) => value.includes(token));
}

function replaceToken(hop: Hop, token: string, fresh: string): Hop {
  return {
    ...hop,
    url: new URL(hop.url.href.replaceAll(token, () => fresh)),
    headers: hop.headers.map(([name, value]) => [name, value.replaceAll(token, () => fresh)]),
  };
}
