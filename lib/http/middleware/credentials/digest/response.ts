import type { Challenge } from "./challenge.ts";

/** Returns the hash of bytes in hexadecimal. */
type Hash = (bytes: Uint8Array) => string;

interface DigestInput {
  readonly challenge: Challenge;
  readonly username: string;
  readonly password: string;
  readonly method: string;
  /** The request target: path and query. */
  readonly uri: string;
  /** How often the nonce was used, including this time. */
  readonly count: number;
  readonly cnonce: string;
  /** The hash of the body, only for `auth-int`. */
  readonly bodyHash?: string;
  readonly hash: Hash;
}

/** The quality of protection: `auth` if the server offers it; none for servers of RFC 2069. */
export function chooseProtection(challenge: Challenge): "auth" | "auth-int" | undefined {
  const offered =
    challenge.parameters
      .get("qop")
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  if (offered.includes("auth")) return "auth";
  return offered.includes("auth-int") ? "auth-int" : undefined;
}

/** The `Authorization` header for a challenge (RFC 7616, 3.4). */
export function digestHeader(input: DigestInput): string {
  const { challenge, username, password, method, uri, cnonce, hash } = input;
  const { parameters } = challenge;
  const realm = parameters.get("realm") ?? "";
  const nonce = parameters.get("nonce") ?? "";
  const algorithm = parameters.get("algorithm");
  const opaque = parameters.get("opaque");
  const protection = chooseProtection(challenge);
  const isSession = /-sess$/i.test(algorithm ?? "");
  const isHashedName = parameters.get("userhash")?.toLowerCase() === "true";
  const h = (text: string): string => hash(new TextEncoder().encode(text));
  const count = input.count.toString(16).padStart(8, "0");

  const secret = h(`${username}:${realm}:${password}`);
  const a1 = isSession ? h(`${secret}:${nonce}:${cnonce}`) : secret;
  const a2 = h(`${method}:${uri}${protection === "auth-int" ? `:${input.bodyHash}` : ""}`);
  const response =
    protection === undefined
      ? h(`${a1}:${nonce}:${a2}`)
      : h(`${a1}:${nonce}:${count}:${cnonce}:${protection}:${a2}`);

  return `Digest ${[
    isHashedName ? `username="${h(`${username}:${realm}`)}"` : nameParameter(username),
    `realm="${quote(realm)}"`,
    `nonce="${quote(nonce)}"`,
    `uri="${quote(uri)}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque="${quote(opaque)}"`]),
    ...(protection === undefined
      ? isSession
        ? [`cnonce="${cnonce}"`]
        : []
      : [`qop=${protection}`, `nc=${count}`, `cnonce="${cnonce}"`]),
    ...(isHashedName ? ["userhash=true"] : []),
  ].join(", ")}`;
}

/** A user name beyond ASCII is encoded as in RFC 8187. */
function nameParameter(name: string): string {
  return /^[\x20-\x7e]*$/.test(name)
    ? `username="${quote(name)}"`
    : `username*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, toPercent)}`;
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function quote(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}
