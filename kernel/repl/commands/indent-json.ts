const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Nobody reads further in than this, and blanks are not to be more than the text. */
const DEEPEST = 50;
const WORD = /[^\s{}[\],:"]+/y;

/**
 * JSON text in lines, its tokens as they are: no digit is read as a number.
 *
 * @param text JSON that parses; what does not is indented as far as it goes.
 * @example
 * ```ts
 * indentJson('{"a":[1.0,{}]}'); // '{\n  "a": [\n    1.0,\n    {}\n  ]\n}'
 * ```
 */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let isBehindOpening = false;
  const newLine = (): void =>
    void parts.push("\n", "  ".repeat(Math.min(Math.max(0, depth), DEEPEST)));
  for (const token of tokensOf(text)) {
    const isClosing = token === "}" || token === "]";
    if (isClosing) depth -= 1;
    // Not behind the bracket itself: only here it is known whether anything stands in it.
    if (isClosing !== isBehindOpening) newLine();
    parts.push(token === ":" ? ": " : token);
    isBehindOpening = token === "{" || token === "[";
    if (isBehindOpening) depth += 1;
    if (token === ",") newLine();
  }
  return parts.join("");
}

/** By hand: for a string of a million escapes a regular expression needs more room than it has. */
function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    if (end > at) yield text.slice(at, end);
    at = Math.max(end, at + 1);
  }
}

/** Where the token that begins here ends; here, where none begins. */
function endOfToken(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return endOfString(text, start);
  if ("{}[],:".includes(text[start] ?? "")) return start + 1;
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return Math.min(at + 1, text.length);
}
