const PLAIN = /^[\w@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for them
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]|\n###/;

/**
 * Quotes a template as one word of a POSIX shell, for a shell and for {@link splitWords}. Escaped double braces are
 * divided between two quoted strings, which a shell joins and no placeholder spans.
 */
export function quoteTemplate(template: string): string {
  const pieces = template.split("\\{{");
  return pieces
    .map((piece, at) =>
      quoteWord(`${at > 0 ? "{" : ""}${piece}${at < pieces.length - 1 ? "{" : ""}`),
    )
    .join("");
}

/**
 * Quotes text as one word of a POSIX shell. Control characters need `$'…'`, which bash, zsh and ksh
 * support; so does a line `###`, which would end the request in a file.
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
