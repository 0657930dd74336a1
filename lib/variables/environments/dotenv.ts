/** `KEY=value`, `export KEY="several lines"`, `KEY='as it is'`, a comment behind it. */
const LINE =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*("(?:\\[\s\S]|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n#]*)?[ \t]*(?:#.*)?$/gm;

/**
 * Parses a `.env` file as the package dotenv does: quotes hold several lines, `\n` is a line break
 * in double quotes alone, and a comment begins with `#`.
 *
 * @param text The file's text.
 * @returns The variables in order; the last of two of one name holds.
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
