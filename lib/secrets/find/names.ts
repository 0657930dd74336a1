/**
 * Names whose values are secrets, in plain words. They apply in camel case, snake case and kebab
 * case, after any other words (`githubToken`, `DB_PASSWORD`, `x-api-key`) and before a word that
 * changes nothing (`tokenValue`, `secret2`). A name that only refers to a secret does not count:
 * `tokenType`, `passwordPolicy`, `nextPageToken`.
 *
 * @example
 * ```ts
 * SECRET_NAMES.includes("api key"); // true
 * ```
 */
export const SECRET_NAMES: readonly string[] = [
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "pass",
  "pwd",
  "api key",
  "access key",
  "secret key",
  "private key",
  "shared key",
  "signing key",
  "encryption key",
  "subscription key",
  "account key",
  "master key",
  "auth key",
  "authorization",
  "auth",
  "bearer",
  "jwt",
  "credential",
  "credentials",
  "cookie",
  "session id",
  "sid",
  "otp",
  "totp",
  "sig",
  "signature",
];

/** Receives a secret text, and the placeholder that it came from, if any. */
export type Found = (text: string, placeholder?: string) => void;

/** Whether the value of a name is a secret. */
export type NameRule = (name: string) => boolean;

const TAIL =
  "value|text|string|raw|plain|header|old|new|current|confirm|confirmation|prod|production|dev|test|staging|live|sandbox|\\d+";
/** Tokens of pagination, and names that protect nothing. */
const HARMLESS =
  /(?:^| )(?:page|next|continuation|sync|pagination|cursor|cancel|cancellation|max|min|has|is|use|no|forgot|reset|show|hide|validate|check) (?:.* )?tokens?$|^(?:is|has|needs|requires?|show|hide|forgot) /;
/** Hostile answers have many names: beyond this number all decisions are forgotten. */
const MEMORY = 2_000;

/**
 * Creates the rule of a list of names, each in plain words.
 *
 * @param names The list; {@link SECRET_NAMES} is a good one to begin with.
 */
export function createNameRule(names: readonly string[] = SECRET_NAMES): NameRule {
  const words = names.map((name) => wordsOf(name)).filter((name) => name !== "");
  if (words.length === 0) return () => false;
  // `apikey` and `sessionid` are as common as `apiKey`.
  const any = words.map((name) => name.replaceAll(" ", " ?")).join("|");
  const secret = new RegExp(`(?:^| )(?:${any})(?:(?<!s)s)?(?: (?:${TAIL}))*$`, "u");
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MEMORY) known.clear();
    const plain = name.length > 120 ? "" : wordsOf(name);
    const decision = secret.test(plain) && !HARMLESS.test(plain);
    known.set(name, decision);
    return decision;
  };
}

/** The words of a name in lower case: `XApi-key_2` is `x api key 2`. */
function wordsOf(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\d)/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
