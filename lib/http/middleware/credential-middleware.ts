import { type Hop, type Middleware, type Warn, withHeader } from "../request/mod.ts";
import { drainBody } from "../response/mod.ts";
import type { Authorization, Authorizer } from "./credentials/authorizer/mod.ts";

/** Adds credentials to each hop, and answers a challenge once for each hop. */
export function withCredentials(authorizer: Authorizer, warn: Warn): Middleware {
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
