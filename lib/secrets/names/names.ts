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

/** Whether the value of a name is a secret. */
export type NameRule = (name: string) => boolean;

const TAIL =
  /(?: (?:value|text|string|raw|plain|header|old|new|current|confirm|confirmation|prod|production|dev|test|staging|live|sandbox|\d+))+$/;
/** Tokens of pagination, and names that protect nothing. */
const HARMLESS =
  /(?:^| )(?:page|next|continuation|sync|pagination|cursor|cancel|cancellation|max|min|has|is|use|no|forgot|reset|show|hide|validate|check) (?:.* )?tokens?$|^(?:is|has|needs|requires?|show|hide|forgot) /;

/**
 * Creates the rule of a list of names, each in plain words.
 *
 * @param names The list; {@link SECRET_NAMES} is a good one to begin with.
 */
export function createNameRule(names?: readonly string[]): NameRule {
  if (names !== undefined) return compile(names);
  usual ??= compile(SECRET_NAMES);
  return usual;
}

let usual: NameRule | undefined;

function compile(names: readonly string[]): NameRule {
  const words = names.map((name) => wordsOf(name)).filter((name) => name !== "");
  const spaced = new Set(words);
  // `apikey` and `sessionid` are as common as `apiKey`.
  const joined = new Set(words.map((name) => name.replaceAll(" ", "")));
  const longest = words.reduce((most, name) => Math.max(most, name.split(" ").length), 1);

  const ends = (name: string): boolean => {
    if (spaced.has(name) || joined.has(name)) return true;
    const parts = name.split(" ");
    for (let count = 1; count <= Math.min(longest, parts.length); count++) {
      const end = parts.slice(-count);
      if (spaced.has(end.join(" ")) || (count === 1 && joined.has(end.join("")))) return true;
    }
    return false;
  };
  const decide = (name: string): boolean => {
    if (name.length > 120) return false;
    const whole = wordsOf(name);
    if (whole === "" || HARMLESS.test(whole)) return false;
    const head = whole.replace(TAIL, "");
    return [whole, head].some(
      (form) => ends(form) || (/[^s]s$/.test(form) && ends(form.slice(0, -1))),
    );
  };
  return remember(decide);
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

/** Hostile answers have many names: beyond this number all decisions are forgotten. */
const MEMORY = 2_000;

/** Caches the decisions of a rule: the same names occur again and again. */
function remember(decide: NameRule): NameRule {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MEMORY) known.clear();
    const decision = decide(name);
    known.set(name, decision);
    return decision;
  };
}
