import type { Credentials } from "./authorizer/mod.ts";

/** Fields that are not secret; all others are. */
const PUBLIC: ReadonlySet<string> = new Set(
  (
    "type grant issuer tokenEndpoint authorizationEndpoint deviceAuthorizationEndpoint clientId " +
    "clientAuthentication scope audience resource redirectUri parameters username name in accessKeyId region service"
  ).split(" "),
);

/** The secret strings of credentials. */
export function secretTexts(credentials: Credentials): readonly string[] {
  return Object.entries(credentials).flatMap(([name, value]) =>
    PUBLIC.has(name) || typeof value !== "string" || value === "" ? [] : [value],
  );
}
