const SECRET_WORD =
  "(?:secrets?|tokens?|passwords?|passwd|passphrase|pwd|credentials?|auth(?![a-z])|authorization|api[-_]?keys?|private[-_]?keys?|access[-_]?keys?|cookie|session[-_]?id|bearer)";
// Bounded, so that a long run of letters is not read again from each of them.
const NAME = String.raw`(?<![\w-])[\w-]{0,40}${SECRET_WORD}[\w-]{0,40}`;

/** Ways to write a secret down. A placeholder in its place is none. */
const STORES: readonly RegExp[] = [
  /\bsecret\s*:\s*true\b/i,
  /^[ \t]*\.set\s+--secret\b/im,
  // client.setVar("token", …) and .set token …
  new RegExp(String.raw`\bsetVar\(\s*["'\x60]${NAME}["'\x60]`, "i"),
  new RegExp(String.raw`^[ \t]*\.set\s+${NAME}\s+(?!\{\{)\S`, "im"),
  // A variable line, a header, a field of a form, a query value, a JSON member, an assignment.
  new RegExp(String.raw`^[ \t]*@${NAME}\s*=[ \t]*(?!\{\{)\S`, "im"),
  new RegExp(
    String.raw`^[ \t]*(?:\.header\s+)?${NAME}[ \t]*:[ \t]*(?!(?:(?:Basic|Bearer|Digest|Token)[ \t]+)?\{\{)\S`,
    "im",
  ),
  new RegExp(String.raw`[?&]${NAME}=(?!\{\{)[^\s&]`, "i"),
  new RegExp(String.raw`["']?${NAME}["']?\s*[:=]\s*["'\x60](?!\{\{)[^"'\x60]`, "i"),
  // https://name:password@host
  /:\/\/[^\s/?#{}@:]{0,200}:[^\s/?#{}@:]{1,200}@/,
];

/** Whether an entry must not be written to the history file: it begins with a blank or holds a secret. */
export function isPrivate(entry: string): boolean {
  return /^[ \t]/.test(entry) || STORES.some((pattern) => pattern.test(entry));
}

/** Whether a variable of this name is taken for a secret where nobody has said so. */
export function isSecretName(name: string): boolean {
  return new RegExp(`^${NAME}$`, "i").test(name);
}
