import { createHash, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { Problem, type Route, respondJson } from "../http/mod.ts";

const REALM = "restlab demo";
const PASSWORD = "correct-horse-42";
const MAX_NONCES = 1000;

/**
 * A route that requires digest credentials (RFC 7616, SHA-256). The server has to know the password,
 * so all users share one.
 */
export function createDigestRoutes(): readonly Route[] {
  /** Issued nonces with the count of their last use. */
  const nonces = new Map<string, number>();

  function challenge(detail: string, isStale: boolean): Problem {
    const nonce = randomBytes(18).toString("base64url");
    nonces.set(nonce, 0);
    const [oldest] = nonces.keys();
    if (nonces.size > MAX_NONCES && oldest !== undefined) nonces.delete(oldest);
    const header = `Digest realm="${REALM}", qop="auth", algorithm=SHA-256, nonce="${nonce}"`;
    return new Problem(401, `Digest credentials are required: ${detail}`, {
      headers: { "WWW-Authenticate": isStale ? `${header}, stale=true` : header },
    });
  }

  return [
    {
      method: "GET",
      path: "/digest",
      summary: `Requires Digest credentials (SHA-256), any user name, the password "${PASSWORD}"`,
      handle(context) {
        const given = readDigest(context.req.header("Authorization") ?? "");
        if (given === undefined)
          throw challenge("Authorization does not answer a challenge", false);
        const { username = "", nonce = "", nc = "" } = given;
        if (given.response !== expectedResponse(context, given)) {
          throw challenge("the answer to the challenge is wrong", false);
        }
        const before = nonces.get(nonce);
        const count = Number.parseInt(nc, 16);
        if (before === undefined || !(count > before)) {
          throw challenge("the nonce has expired, or was already used with this count", true);
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
function expectedResponse({ req }: Context, given: Parameters): string {
  const { pathname, search } = new URL(req.url);
  const secret = hash(`${given["username"]}:${REALM}:${PASSWORD}`);
  const action = hash(`${req.method}:${pathname}${search}`);
  const { nonce, nc, cnonce, qop } = given;
  return hash([secret, nonce, nc, cnonce, qop, action].join(":"));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
