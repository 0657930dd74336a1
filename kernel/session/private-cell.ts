import { CREDENTIAL_HEADERS, holdsSecret, type Secrets } from "../../lib/mod.ts";

/**
 * Whether an entry must not be written to a file: it begins with a blank, or contains a secret under
 * a name of one. Secrets that the client knows are found by its own search; this also finds what is
 * too short to be masked.
 *
 * @param entry The entry as it was typed.
 * @param secrets Decides which names are those of secrets.
 */
export function isPrivate(
  entry: string,
  { isSecretName, isReference }: Pick<Secrets, "isSecretName" | "isReference">,
): boolean {
  const material = { kind: "source", text: entry } as const;
  return /^[ \t]/.test(entry) || holdsSecret(material, isSecretName, isReference);
}

/**
 * Whether an entry may be in a history: it is not private, and contains no known secret. The answer
 * changes when a secret becomes known.
 */
export function isKeepable(
  entry: string,
  secrets: Pick<Secrets, "isSecretName" | "isReference" | "mask">,
): boolean {
  return !isPrivate(entry, secrets) && secrets.mask(entry) === entry;
}

/** Whether a value under this name, of a header for example, is a secret. */
export function isSecretField(
  name: string,
  value: string,
  secrets: Pick<Secrets, "isSecretName">,
): boolean {
  const { isSecretName } = secrets;
  if (isSecretName(name) || CREDENTIAL_HEADERS.includes(name.toLowerCase())) return true;
  return holdsSecret({ kind: "headers", headers: [[name, value]] }, isSecretName);
}
