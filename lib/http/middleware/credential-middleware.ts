import type { Hop } from "../request/mod.ts";
import { type Middleware, type Tell, withHeader } from "../request/mod.ts";
import { drainBody } from "../response/mod.ts";
import type { Authorization, Authorizer } from "./credentials/authorizer/mod.ts";

/** Adds credentials to each hop, and answers the challenge of a refusal, once for each hop. */
export function withCredentials(authorizer: Authorizer, tell: Tell): Middleware {
  return (next) => async (bare) => {
    const hop = await authorizeHop(bare, authorizer);
    const response = await next(hop);
    const authorization = await authorizer.answer?.(hop, response);
    if (authorization?.remark !== undefined) tell(authorization.remark);
    if (authorization === undefined) return response;
    void drainBody(response);
    return await next(apply(hop, authorization));
  };
}

/** A hop with what lets it in. */
export async function authorizeHop(hop: Hop, authorizer: Authorizer): Promise<Hop> {
  return apply(hop, await authorizer.authorize(hop));
}

function apply(hop: Hop, { headers, url }: Authorization): Hop {
  const moved = url === undefined ? hop : { ...hop, url };
  return headers.reduce((dressed, [name, value]) => withHeader(dressed, name, value), moved);
}
