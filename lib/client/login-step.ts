import type { Hop } from "./hop.ts";
import type { HopStep } from "./hop-steps.ts";

/** Tokens that texts have taken from logins, wherever they stand in a request now. */
export interface GivenTokens {
  readonly given: ReadonlyMap<string, unknown>;
  /** The token to be sent in place of a given one, where it was refused and a new one may help. */
  heed(token: string, status: number): Promise<string | undefined>;
}

/**
 * Sends a request again whose token of a login was refused, with a new one in the place of the old:
 * the server may have forgotten it before its time. Once.
 */
export function createLoginStep(logins: GivenTokens): HopStep {
  return {
    prepare: (hop) => hop,
    async answer(hop, response, tell) {
      let dressed = hop;
      for (const token of [...logins.given.keys()].filter((one) => carries(hop, one))) {
        const next = await logins.heed(token, response.status);
        if (next !== undefined && next !== token) dressed = replaceToken(dressed, token, next);
      }
      if (dressed === hop) return undefined;
      tell("The token of a login was refused with 401; the request was sent again with a new one");
      return dressed;
    },
  };
}

function carries({ url, headers }: Hop, token: string): boolean {
  return url.href.includes(token) || headers.some(([, value]) => value.includes(token));
}

function replaceToken(hop: Hop, token: string, next: string): Hop {
  return {
    ...hop,
    url: new URL(hop.url.href.replaceAll(token, () => next)),
    headers: hop.headers.map(([name, value]) => [name, value.replaceAll(token, () => next)]),
  };
}
