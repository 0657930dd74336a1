import {
  type Authorization,
  type Authorizer,
  bodyBytes,
  CredentialError,
  checkStrings,
  type DigestCredentials,
  type OutgoingRequest,
} from "../authorizer/mod.ts";
import { type Challenge, parseChallenges } from "./challenge.ts";
import { ALGORITHMS, loadHash, type RunningHash } from "./hashes.ts";
import { chooseProtection, digestHeader } from "./response.ts";

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
