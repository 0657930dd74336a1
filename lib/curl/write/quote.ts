const PLAIN = /^[\w@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for them
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;

/**
 * Quotes text as one word of a POSIX shell. Control characters need `$'…'`, which bash, zsh and ksh
 * support.
 */
export function quoteWord(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const quoted = text
    .replace(/[\\']/g, "\\$&")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
    .replace(/[\x00-\x1f\x7f]/g, (sign) =>
      sign === "\n" ? "\\n" : `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  return `$'${quoted}'`;
}
