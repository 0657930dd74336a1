import type { Authorizer, BearerCredentials } from "./authorizer/mod.ts";
import { checkStrings } from "./authorizer/mod.ts";

/** Sends a token unchanged. */
export function createBearer(credentials: BearerCredentials): Authorizer {
  checkStrings(credentials, ["token"]);
  return {
    authorize: () => ({ headers: [["Authorization", `Bearer ${credentials.token}`]] }),
  };
}
