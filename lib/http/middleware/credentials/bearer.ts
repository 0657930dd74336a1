import { type Authorizer, type BearerCredentials, checkStrings } from "./authorizer/mod.ts";

/** Sends a token unchanged. */
export function createBearer(credentials: BearerCredentials): Authorizer {
  checkStrings(credentials, ["token"]);
  return {
    authorize: () => ({ headers: [["Authorization", `Bearer ${credentials.token}`]] }),
  };
}
