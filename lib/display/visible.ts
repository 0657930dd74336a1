// Control characters (C0, DEL, C1), what turns the direction of text, what a terminal or an editor
// takes for a line end, and lone surrogates, which no UTF-8 text can hold.
const HIDDEN = /\r\n|[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu;

/** Text over several lines, in which nothing acts: only tab and line feed are left as they are. */
export function toVisibleText(text: string): string {
  return text.replace(HIDDEN, (found) => {
    if (found === "\r\n") return "\n";
    return found === "\n" || found === "\t" ? found : toSymbol(found);
  });
}

/** Text for one line, in which nothing acts and nothing breaks the line. */
export function toVisibleLine(text: string): string {
  return text.replace(HIDDEN, (found) => (found === "\r\n" ? "␍␊" : toSymbol(found)));
}

function toSymbol(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}
