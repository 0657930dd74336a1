/** `KEY=value`, `export KEY="several lines"`, `KEY='literal'`, each with a comment after it. */
const LINE =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*("(?:\\[\s\S]|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n#]*)?[ \t]*(?:#.*)?$/gm;

/**
 * Parses a `.env` file as the package dotenv does: a quoted value may span lines, `\n` is a line break
 * only in double quotes, and `#` begins a comment.
 *
 * @param text The text of the file.
 * @returns The variables in order; a later one replaces one of the same name.
 */
export function parseDotenv(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [, name = "", written = ""] of text.replace(/^\uFEFF/, "").matchAll(LINE)) {
    variables.set(name, unquote(written.trim()));
  }
  return variables;
}

function unquote(value: string): string {
  const quote = value[0] ?? "";
  if (value.length < 2 || !value.endsWith(quote) || !/["'`]/.test(quote)) return value;
  const text = value.slice(1, -1);
  if (quote !== '"') return text;
  return text.replace(/\\([\s\S])/g, (written, character: string) => ESCAPES[character] ?? written);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
};
