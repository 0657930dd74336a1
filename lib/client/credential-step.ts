import type { Authorization, Authorizer } from "../credentials/mod.ts";
import type { Hop } from "./hop.ts";
import { type HopStep, withHeader } from "./hop-steps.ts";

/** Lets credentials have their say on each hop of their own origin. */
export function createCredentialStep(authorizer: Authorizer): HopStep {
  let home: string | undefined;
  return {
    async prepare(hop, tell) {
      home ??= hop.url.origin;
      if (hop.url.origin === home) return apply(hop, await authorizer.authorize(hop));
      tell(`Not sent on to ${hop.url.origin}, another origin: the credentials`);
      return hop;
    },
    async answer(hop, response, tell) {
      if (hop.url.origin !== home) return undefined;
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
