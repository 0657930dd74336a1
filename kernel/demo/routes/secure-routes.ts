import { auth } from "hono/utils/basic-auth";
import { Problem, type Route, respondJson } from "../http/mod.ts";

const REQUIRED = ["X-API-Key", "X-Secret"];

/** Routes that require credentials. They accept any value, and neither show nor keep it. */
export const secureRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/secure",
    summary: `Requires the headers ${REQUIRED.join(" and ")}, with any value`,
    handle({ req }) {
      const missing = REQUIRED.filter((name) => !req.header(name)?.trim());
      if (missing.length === 0) return respondJson(200, { authorized: true, by: REQUIRED });
      throw new Problem(401, `${missing.join(" and ")} missing: send both with any value`, {
        headers: { "WWW-Authenticate": 'ApiKey realm="restlab demo"' },
        members: { missing },
      });
    },
  },
  {
    method: "GET",
    path: "/basic",
    summary: "Requires Basic credentials, any user name and password",
    handle({ req }) {
      requireCredentials(req.header("Authorization"), "Basic");
      const user = auth(req.raw)?.username;
      if (!user) {
        throw unauthorized("Basic", "the value after Basic is not the base64 of name:password");
      }
      return respondJson(200, { authorized: true, by: "Basic", user });
    },
  },
  {
    method: "GET",
    path: "/bearer",
    summary: "Requires a Bearer token, any token",
    handle({ req }) {
      requireCredentials(req.header("Authorization"), "Bearer");
      return respondJson(200, { authorized: true, by: "Bearer" });
    },
  },
];

function requireCredentials(header: string | undefined, scheme: string): void {
  if (header === undefined) throw unauthorized(scheme, "the header Authorization is missing");
  const [given = "", credentials = ""] = header.trim().split(/ +/, 2);
  if (given.toLowerCase() !== scheme.toLowerCase()) {
    throw unauthorized(scheme, `Authorization does not begin with ${scheme}`);
  }
  if (credentials === "") throw unauthorized(scheme, `nothing follows ${scheme}`);
}

/** The problem that asks for credentials of a scheme. */
export function unauthorized(scheme: string, reason: string): Problem {
  return new Problem(401, `${scheme} credentials are needed: ${reason}`, {
    headers: { "WWW-Authenticate": `${scheme} realm="restlab demo"` },
  });
}
