import type { Authorizer } from "./authorizer.ts";
import type { BearerCredentials } from "./credentials.ts";
import { checkTexts } from "./needed.ts";

/** A token as it is. */
export function createBearer(credentials: BearerCredentials): Authorizer {
  checkTexts(credentials, ["token"]);
  return {
    authorize: () => ({ headers: [["Authorization", `Bearer ${credentials.token}`]] }),
  };
}
