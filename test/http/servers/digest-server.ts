import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const HASHES = new Map([
  ["MD5", "md5"],
  ["SHA-256", "sha256"],
  ["SHA-512-256", "sha512-256"],
]);
const used = new Map<string, number>();
let challenges = 0;

/**
 * A server that checks digests by node:crypto: /digest?algorithm=SHA-256&qop=auth&user=ada&password=x.
 * `stale=1` gives each nonce up after one use, and `next=1` names the next one; `plain=1` offers no qop, as RFC 2069 had it.
 */
export function answerChallenge(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const ask = (name: string, other: string): string => url.searchParams.get(name) ?? other;
    const algorithm = ask("algorithm", "MD5");
    const qop = url.searchParams.has("plain") ? "" : ask("qop", "auth");
    const given = parametersOf(request.headers.authorization ?? "");
    const nonce = given.get("nonce") ?? "";
    const isCurrent = used.has(nonce);
    const count = Number.parseInt(given.get("nc") ?? "0", 16);
    const isFresh = isCurrent && (qop === "" || count > (used.get(nonce) ?? 0));
    const fits = isRight(request, Buffer.concat(chunks), given, {
      algorithm,
      qop: qop === "auth-int" ? "auth-int" : qop === "" ? "" : "auth",
      user: ask("user", "ada"),
      password: ask("password", "secret"),
    });
    if (isFresh && fits) {
      used.set(nonce, count);
      if (url.searchParams.has("stale")) used.delete(nonce);
      const next = url.searchParams.has("next") ? randomBytes(8).toString("hex") : undefined;
      if (next !== undefined) used.set(next, 0);
      response.writeHead(200, {
        "content-type": "application/json",
        ...(next && { "authentication-info": `rspauth="x", nextnonce="${next}"` }),
      });
      response.end(
        JSON.stringify({ user: given.get("username"), count, uri: given.get("uri"), challenges }),
      );
      return;
    }
    const stale = fits && !isCurrent ? ", stale=true" : "";
    challenges += 1;
    const fresh = randomBytes(8).toString("hex");
    used.set(fresh, 0);
    const offers = algorithm
      .split(",")
      .map(
        (one) =>
          `Digest realm="lab \\"one\\"", nonce="${fresh}", opaque="o=p", algorithm=${one}` +
          `${qop === "" ? "" : `, qop="${qop}"`}${ask("userhash", "") && ", userhash=true"}${stale}`,
      );
    response.writeHead(401, { "www-authenticate": ['Basic realm="lab"', ...offers] });
    response.end("who are you?");
  });
}

interface Wanted {
  readonly algorithm: string;
  readonly qop: string;
  readonly user: string;
  readonly password: string;
}

function isRight(
  request: IncomingMessage,
  body: Buffer,
  given: ReadonlyMap<string, string>,
  { algorithm, qop, user, password }: Wanted,
): boolean {
  const named = given.get("algorithm") ?? "MD5";
  if (!algorithm.split(",").includes(named)) return false;
  const hash = HASHES.get(named.replace("-sess", ""));
  if (hash === undefined) return false;
  const h = (data: string | Buffer): string => createHash(hash).update(data).digest("hex");
  const realm = 'lab "one"';
  const name = given.get("userhash") === "true" ? h(`${user}:${realm}`) : user;
  if (given.get("username") !== name || given.get("uri") !== request.url) return false;
  const [used = "", cnonce = ""] = [given.get("nonce"), given.get("cnonce")];
  const secret = h(`${user}:${realm}:${password}`);
  const first = named.endsWith("-sess") ? h(`${secret}:${used}:${cnonce}`) : secret;
  const second = h(`${request.method}:${request.url}${qop === "auth-int" ? `:${h(body)}` : ""}`);
  const middle = qop === "" ? used : [used, given.get("nc"), cnonce, given.get("qop")].join(":");
  return given.get("response") === h(`${first}:${middle}:${second}`);
}

function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = header.matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g);
  return new Map(
    [...found].map(([, name = "", quoted, plain]) =>
      name === "username*"
        ? ["username", decodeURIComponent((plain ?? "").replace("UTF-8''", ""))]
        : [name, quoted?.replace(/\\(.)/g, "$1") ?? plain ?? ""],
    ),
  );
}
