import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { auth } from "hono/utils/basic-auth";
import { Problem, type Route, readBody, respondJson } from "../http/mod.ts";
import { unauthorized } from "./secure-routes.ts";

const LIFETIME = 600;
const MAX_TOKENS = 1000;
const NO_STORE = { "Cache-Control": "no-store" };

interface Grant {
  readonly client: string;
  readonly scope: string;
  readonly expiresAt: Date;
}

/**
 * A small OAuth 2 server: it issues tokens for client credentials (RFC 6749, 4.4), revokes them
 * (RFC 7009) and has a route that requires one. It accepts any client id and secret.
 */
export function createTokenRoutes(now: () => Date): readonly Route[] {
  const grants = new Map<string, Grant>();
  return [
    {
      method: "POST",
      path: "/oauth/token",
      summary: `Issues a token for ${LIFETIME} seconds by client_credentials, to any client with any secret (Basic or form)`,
      handle: (context) => issue(context, grants, now),
    },
    {
      method: "POST",
      path: "/oauth/revoke",
      summary: "Revokes the token in the form field token",
      handle: (context) => revoke(context, grants),
    },
    {
      method: "GET",
      path: "/oauth/me",
      summary: "Requires a token of /oauth/token, and shows its client and scope",
      handle: (context) => describe(context, grants, now),
    },
  ];
}

type Grants = Map<string, Grant>;

async function issue(context: Context, grants: Grants, now: () => Date): Promise<Response> {
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
  if (grants.size > MAX_TOKENS && oldest !== undefined) grants.delete(oldest);
  const answer = { access_token: token, token_type: "Bearer", expires_in: LIFETIME, scope };
  return respondJson(200, answer, NO_STORE);
}

async function revoke(context: Context, grants: Grants): Promise<Response> {
  const fields = await readForm(context);
  if (readClient(context, fields) === undefined) return refuseClient();
  // An unknown token counts as revoked: RFC 7009, 2.2.
  grants.delete(fields.get("token") ?? "");
  return respondJson(200, { revoked: true }, NO_STORE);
}

function describe(context: Context, grants: Grants, now: () => Date): Response {
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

async function readForm(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBody(context)));
}

/** The client id of a request, from Basic credentials or the form, if it comes with a secret. */
function readClient({ req }: Context, fields: URLSearchParams): string | undefined {
  const {
    username: name = fields.get("client_id"),
    password: secret = fields.get("client_secret"),
  } = auth(req.raw) ?? {};
  if (!name || !secret) return undefined;
  try {
    // OAuth form-encodes both before they become Basic credentials: RFC 6749, 2.3.1.
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    // A name that was typed by hand may contain a percent sign.
    return name;
  }
}

function refuseClient(): Response {
  const challenge = { "WWW-Authenticate": 'Basic realm="restlab demo"' };
  const description = "client id and secret are missing: send them as Basic or in the form";
  return refuse(401, "invalid_client", description, challenge);
}

/** RFC 6749, 5.2, has a format of its own for errors; clients do not expect a problem document. */
function refuse(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { error, error_description: description };
  return respondJson(status, body, { ...headers, ...NO_STORE });
}
