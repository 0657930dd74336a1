import type { Authorizer, BearerCredentials } from "./authorizer/mod.ts";
import { checkTexts } from "./authorizer/mod.ts";

/** A token as it is. */
export function createBearer(credentials: BearerCredentials): Authorizer {
  checkTexts(credentials, ["token"]);
  return {
    authorize: () => ({ headers: [["Authorization", `Bearer ${credentials.token}`]] }),
  };
}
