import type { Authorization, Authorizer, DigestCredentials, Outgoing } from "../authorizer/mod.ts";
import { bodyBytes, CredentialError, checkTexts } from "../authorizer/mod.ts";
import { type Challenge, parseChallenges } from "./challenge.ts";
import { ALGORITHMS, loadHash, type RunningHash } from "./hashes.ts";
import { chooseProtection, digestHeader } from "./response.ts";

/** A challenge that is being answered. */
interface Nonce {
  readonly challenge: Challenge;
  readonly createHash: () => RunningHash;
  count: number;
}

/** Answers challenges, and uses the nonce of the last one until the server wants another. */
export function createDigest(credentials: DigestCredentials): Authorizer {
  checkTexts(credentials, ["username", "password"]);
  const nonces = new Map<string, Nonce>();
  return {
    async authorize(request) {
      const nonce = nonces.get(request.url.origin);
      return nonce === undefined ? { headers: [] } : await respond(request, nonce, credentials);
    },
    async answer(request, response) {
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
  request: Outgoing,
  nonce: Nonce,
  { username, password }: DigestCredentials,
): Promise<Authorization> {
  const { challenge, createHash } = nonce;
  nonce.count++;
  const url = new URL(request.url);
  // A question mark with nothing behind it is sent by Deno and Bun, and not by Node.
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

async function hashBody({ body }: Outgoing, hash: RunningHash): Promise<string> {
  for await (const bytes of bodyBytes(body)) hash.update(bytes);
  return hash.hex();
}

function algorithmOf({ parameters }: Challenge): string {
  return (parameters.get("algorithm") ?? "md5").toLowerCase().replace(/-sess$/, "");
}

/** The challenge with the best hash that is known here. */
function strongest(header: string): Challenge | undefined {
  const digests = parseChallenges(header).filter(({ scheme }) => scheme === "digest");
  if (digests.length === 0) return undefined;
  for (const algorithm of ALGORITHMS) {
    const fitting = digests.find((challenge) => algorithmOf(challenge) === algorithm);
    if (fitting !== undefined) return fitting;
  }
  const named = digests.map(({ parameters }) => parameters.get("algorithm")).join(", ");
  throw new CredentialError(
    `Cannot answer the digest challenge: the server asks for ${named}; MD5, SHA-256 and SHA-512-256 are supported`,
  );
}
