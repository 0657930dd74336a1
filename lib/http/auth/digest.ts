import {
  type Authorization,
  type Authorizer,
  bodyBytes,
  CredentialError,
  checkStrings,
  type DigestCredentials,
  type OutgoingRequest,
} from "./authorizer.ts";

/** A challenge and how often its nonce was used. */
interface Nonce {
  readonly challenge: Challenge;
  readonly createHash: () => RunningHash;
  count: number;
}

/** Answers digest challenges, and reuses the last nonce of each origin. */
export function createDigest(credentials: DigestCredentials): Authorizer {
  checkStrings(credentials, ["username", "password"]);
  const nonces = new Map<string, Nonce>();
  return {
    async authorize(request) {
      const nonce = nonces.get(request.url.origin);
      return nonce === undefined ? { headers: [] } : await respond(request, nonce, credentials);
    },
    async answerChallenge(request, response) {
      if (response.status !== 401) return undefined;
      const challenge = strongest(response.headers.get("www-authenticate") ?? "");
      if (challenge === undefined) return undefined;
      const createHash = await loadHash(algorithmOf(challenge));
      const nonce = { challenge, createHash, count: 0 };
      nonces.set(request.url.origin, nonce);
      return await respond(request, nonce, credentials);
    },
    received({ url }, { headers }) {
      const nonce = nonces.get(url.origin);
      const info = `Digest ${headers.get("authentication-info") ?? ""}`;
      const next = parseChallenges(info)[0]?.parameters.get("nextnonce");
      if (nonce === undefined || next === undefined) return;
      const parameters = new Map([...nonce.challenge.parameters, ["nonce", next]]);
      nonces.set(url.origin, { ...nonce, challenge: { scheme: "digest", parameters }, count: 0 });
    },
  };
}

async function respond(
  request: OutgoingRequest,
  nonce: Nonce,
  { username, password }: DigestCredentials,
): Promise<Authorization> {
  const { challenge, createHash } = nonce;
  nonce.count++;
  const url = new URL(request.url);
  // Deno and Bun send the question mark of an empty query, Node does not.
  if (url.search === "") url.search = "";
  const needsBody = chooseProtection(challenge) === "auth-int";
  const value = digestHeader({
    challenge,
    username,
    password,
    method: request.method,
    uri: url.pathname + url.search,
    count: nonce.count,
    cnonce: crypto.randomUUID().replaceAll("-", ""),
    hash: (bytes) => {
      const hash = createHash();
      hash.update(bytes);
      return hash.hex();
    },
    ...(needsBody ? { bodyHash: await hashBody(request, createHash()) } : {}),
  });
  return { headers: [["Authorization", value]], url };
}

async function hashBody({ body }: OutgoingRequest, hash: RunningHash): Promise<string> {
  for await (const bytes of bodyBytes(body)) hash.update(bytes);
  return hash.hex();
}

function algorithmOf({ parameters }: Challenge): string {
  return (parameters.get("algorithm") ?? "md5").toLowerCase().replace(/-sess$/, "");
}

/** The challenge with the strongest supported hash. */
function strongest(header: string): Challenge | undefined {
  const digests = parseChallenges(header).filter(({ scheme }) => scheme === "digest");
  if (digests.length === 0) return undefined;
  for (const algorithm of ALGORITHMS) {
    const match = digests.find((challenge) => algorithmOf(challenge) === algorithm);
    if (match !== undefined) return match;
  }
  const named = digests.map(({ parameters }) => parameters.get("algorithm")).join(", ");
  throw new CredentialError(
    `Cannot answer the digest challenge: the server asks for ${named}; MD5, SHA-256 and SHA-512-256 are supported`,
  );
}

/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const ITEM = new RegExp(
  `(?:\\s*,)*\\s*(?:(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",]+))|(${TOKEN})(?=\\s|,|$)(?:\\s+([\\w.~+/-]+=*)(?=\\s*(?:,|$)))?)`,
  "y",
);

/**
 * Parses a `WWW-Authenticate` header with any number of challenges (RFC 9110, 11.6) and empty elements (5.6.1). A value
 * without quotes ends at a comma or a blank, whatever it contains.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  ITEM.lastIndex = 0;
  for (let item = ITEM.exec(header); item !== null; item = ITEM.exec(header)) {
    const [, name, quoted, plain, scheme] = item;
    if (scheme !== undefined) {
      challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    } else if (name !== undefined) {
      const value = quoted === undefined ? (plain ?? "") : quoted.replace(/\\(.)/g, "$1");
      challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
    }
  }
  return challenges;
}

/** An incremental hash. */
interface RunningHash {
  update(bytes: Uint8Array): void;
  hex(): string;
}

/** The supported algorithms of RFC 7616, the strongest first. */
const ALGORITHMS: readonly string[] = ["sha-512-256", "sha-256", "md5"];

/** Loads a hash. Web Crypto has neither MD5 nor SHA-512/256. */
export async function loadHash(algorithm: string): Promise<() => RunningHash> {
  const { bytesToHex } = await import("@noble/hashes/utils.js");
  const { sha256, sha512_256 } = await import("@noble/hashes/sha2.js");
  const { md5 } = await import("@noble/hashes/legacy.js");
  const hash = { "sha-512-256": sha512_256, "sha-256": sha256, md5 }[algorithm] ?? md5;
  return () => {
    const running = hash.create();
    return {
      update: (bytes) => void running.update(bytes),
      hex: () => bytesToHex(running.digest()),
    };
  };
}

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
function chooseProtection(challenge: Challenge): "auth" | "auth-int" | undefined {
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
