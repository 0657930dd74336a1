import { CREDENTIAL_HEADERS, type Secrets } from "../../lib/mod.ts";

// Bounded, so that a long run of letters is not read again from each of them.
const NAME = String.raw`(?<![\w-])(?<name>[\w-]{1,80})`;

/** Ways to write a secret down that say so themselves. */
const TOLD: readonly RegExp[] = [
  /\bsecret\s*:\s*true\b/i,
  /^[ \t]*\.set\s+--secret\b/im,
  // https://name:password@host
  /:\/\/[^\s/?#{}@:]{0,200}:[^\s/?#{}@:]{1,200}@/,
];

/** Ways to write a value down under a name. A placeholder in its place is none. */
const NAMED: readonly RegExp[] = [
  // client.setVar("token", …) and .set token …
  new RegExp(String.raw`\bsetVar\(\s*["'\x60]${NAME}["'\x60]`, "gi"),
  new RegExp(String.raw`^[ \t]*\.set\s+${NAME}[\s=]\s*(?!\{\{)\S`, "gim"),
  // A variable line, a header, a field of a form, a query value, a JSON member, an assignment.
  new RegExp(String.raw`^[ \t]*@${NAME}\s*=[ \t]*(?!\{\{)\S`, "gim"),
  new RegExp(
    String.raw`^[ \t]*(?:\.header\s+)?${NAME}[ \t]*:[ \t]*(?!(?:(?:Basic|Bearer|Digest|Token)[ \t]+)?\{\{)\S`,
    "gim",
  ),
  new RegExp(String.raw`(?:[?&]|^[ \t]*)${NAME}=(?!\{\{)[^\s&]`, "gim"),
  new RegExp(String.raw`["']?${NAME}["']?\s*[:=]\s*["'\x60](?!\{\{)[^"'\x60]`, "gi"),
];

/**
 * Whether an entry must not be written to a file: it begins with a blank or holds a secret by its
 * name. What is secret by its value is found by the client's own search, which masks it; this finds
 * what is too short to be masked as well.
 *
 * @param entry The entry as it was typed.
 * @param secrets Says which names are those of secrets.
 */
export function isPrivate(entry: string, secrets: Pick<Secrets, "isSecretName">): boolean {
  if (/^[ \t]/.test(entry) || TOLD.some((pattern) => pattern.test(entry))) return true;
  return NAMED.some((pattern) =>
    [...entry.matchAll(pattern)].some(({ groups }) =>
      isSecretField(groups?.["name"] ?? "", secrets),
    ),
  );
}

/**
 * Whether an entry may be in a history: it is not private, and nothing in it is known to be a secret.
 * What may be there now may be none of it later, when a secret became known.
 */
export function isKeepable(
  entry: string,
  secrets: Pick<Secrets, "isSecretName" | "mask">,
): boolean {
  return !isPrivate(entry, secrets) && secrets.mask(entry) === entry;
}

/** Whether what stands under this name, of a header for example, is a secret. */
export function isSecretField(name: string, secrets: Pick<Secrets, "isSecretName">): boolean {
  return secrets.isSecretName(name) || CREDENTIAL_HEADERS.includes(name.toLowerCase());
}
