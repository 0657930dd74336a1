import type { Authorization, Authorizer } from "../credentials/mod.ts";
import type { Hop } from "./hop.ts";
import { type HopStep, withHeader } from "./hop-steps.ts";

/** Lets credentials have their say on each hop. */
export function createCredentialStep(authorizer: Authorizer): HopStep {
  return {
    prepare: async (hop) => apply(hop, await authorizer.authorize(hop)),
    async answer(hop, response, tell) {
      const authorization = await authorizer.answer?.(hop, response);
      if (authorization?.remark !== undefined) tell(authorization.remark);
      return authorization && apply(hop, authorization);
    },
  };
}

function apply(hop: Hop, { headers, url }: Authorization): Hop {
  const moved = url === undefined ? hop : { ...hop, url };
  return headers.reduce((dressed, [name, value]) => withHeader(dressed, name, value), moved);
}
