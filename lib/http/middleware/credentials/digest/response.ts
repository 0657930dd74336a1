import type { Challenge } from "./challenge.ts";

/** A hash over bytes, as hexadecimal digits. */
export type Hash = (bytes: Uint8Array) => string;

/** What an answer to a challenge is made of. */
export interface DigestInput {
  readonly challenge: Challenge;
  readonly username: string;
  readonly password: string;
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly uri: string;
  /** How often this nonce was used, this time included. */
  readonly count: number;
  readonly cnonce: string;
  /** The hash of the body; needed for `auth-int` alone. */
  readonly bodyHash?: string;
  readonly hash: Hash;
}

/** Which protection is used: `auth` where it may be chosen, nothing with servers of RFC 2069. */
export function chooseProtection(challenge: Challenge): "auth" | "auth-int" | undefined {
  const offered =
    challenge.parameters
      .get("qop")
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  if (offered.includes("auth")) return "auth";
  return offered.includes("auth-int") ? "auth-int" : undefined;
}

/** The `Authorization` header that answers a challenge (RFC 7616, 3.4). */
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

/** A name beyond ASCII has a form of its own (RFC 8187). */
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
