const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Deeper indentation would be longer than the text, and helps nobody. */
const MAX_DEPTH = 50;
const WORD = /[^\s{}[\],:"]+/y;

/**
 * Indents JSON text without parsing its values, so that numbers keep their digits.
 *
 * @param text JSON; invalid text is indented as far as possible.
 * @example `[1.0,{}]` becomes `[\n  1.0,\n  {}\n]`
 */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let isAfterOpening = false;
  const newLine = (): void =>
    void parts.push("\n", "  ".repeat(Math.min(Math.max(0, depth), MAX_DEPTH)));
  for (const token of tokensOf(text)) {
    const isClosing = token === "}" || token === "]";
    if (isClosing) depth -= 1;
    // Not at the bracket itself: an empty object or array stays on one line.
    if (isClosing !== isAfterOpening) newLine();
    parts.push(token === ":" ? ": " : token);
    isAfterOpening = token === "{" || token === "[";
    if (isAfterOpening) depth += 1;
    if (token === ",") newLine();
  }
  return parts.join("");
}

/** Not by a regular expression: a string with a million escapes would overflow its stack. */
function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    if (end > at) yield text.slice(at, end);
    at = Math.max(end, at + 1);
  }
}

/** Where a token ends; `start` itself where no token begins. */
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
