// Control characters (C0, DEL, C1), bidirectional controls, characters that terminals or editors treat
// as line breaks, lone surrogates, which UTF-8 cannot encode, and zero-width characters, which can hide
// another text. Joiners of letters and emoji stay, as do flags made of tags. Of many combining marks on
// one letter, the first are kept.
const HIDDEN =
  /\r\n|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,7}\u{e007f}|[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\u{e0000}-\u{e00ff}]|\p{M}{9,9999}/gu;
const MAX_MARKS = 8;

/** Makes the control characters of a text visible, except tabs and line feeds. */
export function toVisibleText(text: string): string {
  return text.replace(HIDDEN, (found) => {
    if (found === "\r\n") return "\n";
    return found === "\n" || found === "\t" ? found : toSymbols(found);
  });
}

/** Makes all control characters of a text visible, so that it stays on one line. */
export function toVisibleLine(text: string): string {
  return text.replace(HIDDEN, (found) => (found === "\r\n" ? "␍␊" : toSymbols(found)));
}

// As above, except the line feeds of indented JSON; none of the others can occur outside of strings.
const HIDDEN_IN_JSON =
  /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\u{e0000}-\u{e00ff}]|\p{M}{9,9999}/gu;

/** Escapes in JSON the characters that {@link toVisibleLine} replaces; the value stays the same. */
export function toVisibleJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (found) =>
    Array.from({ length: found.length }, (_, at) => toEscape(found.charCodeAt(at))).join(""),
  );
}

const toEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

function toSymbols(found: string): string {
  const characters = Array.from(found);
  if (characters.length === 1) return toSymbol(found);
  if (characters[0] === BLACK_FLAG) return found;
  const left = characters.slice(0, MAX_MARKS).join("");
  return `${left}‹${characters.length - MAX_MARKS} more marks›`;
}

const BLACK_FLAG = "\u{1f3f4}";

function toSymbol(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}
