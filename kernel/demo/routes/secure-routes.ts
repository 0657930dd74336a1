import type { Context } from "hono";
import type { Route } from "../http/mod.ts";
import { Problem, respondJson } from "../http/mod.ts";

const DEMANDED = ["X-API-Key", "X-Secret"];

/** Routes that want credentials. Any value will do; none is ever shown or kept. */
export const secureRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/secure",
    summary: `Demands the headers ${DEMANDED.join(" and ")}, with any value`,
    handle({ req }) {
      const missing = DEMANDED.filter((name) => !req.header(name)?.trim());
      if (missing.length === 0) return respondJson(200, { authorized: true, by: DEMANDED });
      throw new Problem(401, `${missing.join(" and ")} missing: send both with any value`, {
        headers: { "WWW-Authenticate": 'ApiKey realm="restlab demo"' },
        members: { missing },
      });
    },
  },
  {
    method: "GET",
    path: "/basic",
    summary: "Demands Basic credentials, any user name and password",
    handle(context) {
      const [user] = readPair(authorization(context, "Basic")) ?? [];
      if (!user) {
        throw unauthorized("Basic", "the value after Basic is not the base64 of name:password");
      }
      return respondJson(200, { authorized: true, by: "Basic", user });
    },
  },
  {
    method: "GET",
    path: "/bearer",
    summary: "Demands a Bearer token, any token",
    handle(context) {
      authorization(context, "Bearer");
      return respondJson(200, { authorized: true, by: "Bearer" });
    },
  },
];

function authorization({ req }: Context, scheme: string): string {
  const header = req.header("Authorization");
  if (header === undefined) throw unauthorized(scheme, "the header Authorization is missing");
  const [given = "", credentials = ""] = header.trim().split(/ +/, 2);
  if (given.toLowerCase() !== scheme.toLowerCase()) {
    throw unauthorized(scheme, `Authorization does not begin with ${scheme}`);
  }
  if (credentials === "") throw unauthorized(scheme, `nothing follows ${scheme}`);
  return credentials;
}

/** Name and password of a Basic header; nothing where it is none. */
export function readBasic(header: string): readonly [name: string, password: string] | undefined {
  const [, text] = /^basic +(\S+)$/i.exec(header.trim()) ?? [];
  return text === undefined ? undefined : readPair(text);
}

function readPair(text: string): readonly [name: string, password: string] | undefined {
  const pair = decodeBase64(text);
  const colon = pair?.indexOf(":") ?? -1;
  return pair === undefined || colon === -1
    ? undefined
    : [pair.slice(0, colon), pair.slice(colon + 1)];
}

function decodeBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    // Not base64; the caller says so.
    return undefined;
  }
}

/** Ends a route that wants credentials of a scheme. */
export function unauthorized(scheme: string, state: string): Problem {
  return new Problem(401, `${scheme} credentials are needed: ${state}`, {
    headers: { "WWW-Authenticate": `${scheme} realm="restlab demo"` },
  });
}
