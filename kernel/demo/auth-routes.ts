import { createHash, randomBytes } from "node:crypto";
import type { HonoRequest } from "hono";
import { auth } from "hono/utils/basic-auth";
import { Problem, type Route, respondJson } from "./http.ts";

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
function unauthorized(scheme: string, reason: string): Problem {
  return new Problem(401, `${scheme} credentials are needed: ${reason}`, {
    headers: { "WWW-Authenticate": `${scheme} realm="restlab demo"` },
  });
}

const REALM = "restlab demo";
const PASSWORD = "correct-horse-42";

/**
 * A route that requires digest credentials (RFC 7616, SHA-256). The server has to know the password,
 * so all users share one.
 */
export function createDigestRoutes(): readonly Route[] {
  /** Issued nonces with the count of their last use. */
  const nonces = new Map<string, number>();

  function challenge(detail: string, stale = ""): Problem {
    const nonce = randomBytes(18).toString("base64url");
    nonces.set(nonce, 0);
    const header = `Digest realm="${REALM}", qop="auth", algorithm=SHA-256, nonce="${nonce}"${stale}`;
    return new Problem(401, `Digest credentials are required: ${detail}`, {
      headers: { "WWW-Authenticate": header },
    });
  }

  return [
    {
      method: "GET",
      path: "/digest",
      summary: `Requires Digest credentials (SHA-256), any user name, the password "${PASSWORD}"`,
      handle({ req }) {
        const given = readDigest(req.header("Authorization") ?? "");
        if (given === undefined) throw challenge("Authorization does not answer a challenge");
        const { username = "", nonce = "", nc = "" } = given;
        if (given.response !== expectedResponse(req, given)) {
          throw challenge("the answer to the challenge is wrong");
        }
        const before = nonces.get(nonce);
        const count = Number.parseInt(nc, 16);
        if (before === undefined || !(count > before)) {
          const detail = "the nonce has expired, or was already used with this count";
          throw challenge(detail, ", stale=true");
        }
        nonces.set(nonce, count);
        return respondJson(200, { authorized: true, by: "Digest", user: username, count });
      },
    },
  ];
}

type Parameters = { readonly [name in string]?: string };

function readDigest(header: string): Parameters | undefined {
  if (!/^digest\s/i.test(header)) return undefined;
  const found = header.matchAll(/([\w*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g);
  return Object.fromEntries(
    Array.from(found, ([, name = "", quoted, bare]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, "$1") ?? bare,
    ]),
  );
}

/** RFC 7616, 3.4.1. The request's own method and path enter the hash. */
function expectedResponse({ method, url }: HonoRequest, given: Parameters): string {
  const { pathname, search } = new URL(url);
  const secret = hash(`${given["username"]}:${REALM}:${PASSWORD}`);
  const action = hash(`${method}:${pathname}${search}`);
  const { nonce, nc, cnonce, qop } = given;
  return hash([secret, nonce, nc, cnonce, qop, action].join(":"));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const LIFETIME = 600;
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
      async handle({ req }) {
        const fields = new URLSearchParams(await req.text());
        const client = readClient(req, fields);
        if (client === undefined) return refuseClient();
        const type = fields.get("grant_type") ?? "";
        if (type !== "client_credentials") {
          const description = `the grant is "${type}", only client_credentials is supported`;
          return refuse(400, "unsupported_grant_type", description);
        }
        const token = randomBytes(24).toString("base64url");
        const scope = fields.get("scope") ?? "read";
        const expiresAt = new Date(now().getTime() + LIFETIME * 1000);
        grants.set(token, { client, scope, expiresAt });
        const issued = { access_token: token, token_type: "Bearer", expires_in: LIFETIME, scope };
        return respondJson(200, issued, NO_STORE);
      },
    },
    {
      method: "POST",
      path: "/oauth/revoke",
      summary: "Revokes the token in the form field token",
      async handle({ req }) {
        const fields = new URLSearchParams(await req.text());
        if (readClient(req, fields) === undefined) return refuseClient();
        // An unknown token counts as revoked: RFC 7009, 2.2.
        grants.delete(fields.get("token") ?? "");
        return respondJson(200, { revoked: true }, NO_STORE);
      },
    },
    {
      method: "GET",
      path: "/oauth/me",
      summary: "Requires a token of /oauth/token, and shows its client and scope",
      handle({ req }) {
        const [scheme = "", token = ""] = (req.header("Authorization") ?? "").split(/ +/);
        if (scheme.toLowerCase() !== "bearer" || token === "") {
          throw unauthorized("Bearer", "POST /oauth/token gives a token");
        }
        const grant = grants.get(token);
        if (grant !== undefined && grant.expiresAt > now()) {
          return respondJson(200, { authorized: true, by: "OAuth 2", ...grant });
        }
        throw new Problem(401, "The token is unknown, expired or revoked", {
          headers: { "WWW-Authenticate": 'Bearer realm="restlab demo", error="invalid_token"' },
        });
      },
    },
  ];
}

/** The client id of a request, from Basic credentials or the form, if it comes with a secret. */
function readClient({ raw }: HonoRequest, fields: URLSearchParams): string | undefined {
  const {
    username: name = fields.get("client_id"),
    password: secret = fields.get("client_secret"),
  } = auth(raw) ?? {};
  if (!name || !secret) return undefined;
  // OAuth form-encodes both before they become Basic credentials: RFC 6749, 2.3.1.
  return new URLSearchParams(`name=${name.replaceAll("&", "%26")}`).get("name") ?? undefined;
}

function refuseClient(): Response {
  const description = "client id and secret are missing: send them as Basic or in the form";
  const challenge = { "WWW-Authenticate": 'Basic realm="restlab demo"' };
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
