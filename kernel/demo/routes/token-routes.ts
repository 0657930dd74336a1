import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import type { Route } from "../http/mod.ts";
import { Problem, readBody, respondJson } from "../http/mod.ts";
import { readBasic, unauthorized } from "./secure-routes.ts";

const LIFETIME = 600;
const MOST_TOKENS = 1000;
const NOT_KEPT = { "Cache-Control": "no-store" };

interface Grant {
  readonly client: string;
  readonly scope: string;
  readonly expiresAt: Date;
}

/**
 * A small OAuth 2 server: tokens by client credentials (RFC 6749, 4.4), their revocation (RFC 7009),
 * and a route that wants one. Any client is taken at its word.
 */
export function createTokenRoutes(now: () => Date): readonly Route[] {
  const grants = new Map<string, Grant>();

  async function hand(context: Context): Promise<Response> {
    const fields = await readForm(context);
    const client = readClient(context, fields);
    if (client === undefined) return refuseClient();
    const type = fields.get("grant_type") ?? "";
    if (type !== "client_credentials") {
      const description = `the grant is "${type}", only client_credentials is supported`;
      return refuse(400, "unsupported_grant_type", description);
    }
    const token = randomBytes(24).toString("base64url");
    const scope = fields.get("scope") ?? "read";
    grants.set(token, { client, scope, expiresAt: new Date(now().getTime() + LIFETIME * 1000) });
    const [oldest] = grants.keys();
    if (grants.size > MOST_TOKENS && oldest !== undefined) grants.delete(oldest);
    const answer = { access_token: token, token_type: "Bearer", expires_in: LIFETIME, scope };
    return respondJson(200, answer, NOT_KEPT);
  }

  async function revoke(context: Context): Promise<Response> {
    const fields = await readForm(context);
    if (readClient(context, fields) === undefined) return refuseClient();
    // A token that is not known is as good as revoked: RFC 7009, 2.2.
    grants.delete(fields.get("token") ?? "");
    return respondJson(200, { revoked: true }, NOT_KEPT);
  }

  function say(context: Context): Response {
    const [scheme = "", token = ""] = (context.req.header("Authorization") ?? "").split(/ +/);
    if (scheme.toLowerCase() !== "bearer" || token === "") {
      throw unauthorized("Bearer", "POST /oauth/token gives a token");
    }
    const grant = grants.get(token);
    if (grant === undefined || grant.expiresAt <= now()) {
      throw new Problem(401, "The token is unknown, expired or revoked", {
        headers: { "WWW-Authenticate": 'Bearer realm="restlab demo", error="invalid_token"' },
      });
    }
    return respondJson(200, { authorized: true, by: "OAuth 2", ...grant });
  }

  return [
    {
      method: "POST",
      path: "/oauth/token",
      summary: `Gives a token for ${LIFETIME} seconds by client_credentials, to any client with any secret (Basic or form)`,
      handle: hand,
    },
    {
      method: "POST",
      path: "/oauth/revoke",
      summary: "Forgets the token in the form field token",
      handle: revoke,
    },
    {
      method: "GET",
      path: "/oauth/me",
      summary: "Demands a token of /oauth/token, and says whose it is",
      handle: say,
    },
  ];
}

async function readForm(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBody(context)));
}

/** The client of a request, by Basic or by the form; nothing where name or secret is missing. */
function readClient({ req }: Context, fields: URLSearchParams): string | undefined {
  const [name = fields.get("client_id"), secret = fields.get("client_secret")] =
    readBasic(req.header("Authorization") ?? "") ?? [];
  if (!name || !secret) return undefined;
  try {
    // Both are form-encoded before they are Basic: RFC 6749, 2.3.1.
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    // Written by hand, with a percent sign in it.
    return name;
  }
}

function refuseClient(): Response {
  const challenge = { "WWW-Authenticate": 'Basic realm="restlab demo"' };
  const description = "client id and secret are missing: send them as Basic or in the form";
  return refuse(401, "invalid_client", description, challenge);
}

/** In the words of RFC 6749, 5.2, which programs know; not as a problem document. */
function refuse(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { error, error_description: description };
  return respondJson(status, body, { ...headers, ...NOT_KEPT });
}
