const NUMBER = /-?\d[\d.eE+-]*/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses JSON of any depth, where a recursive parser overflows the stack: `JSON.parse` reads numbers as
 * marked strings.
 *
 * @param text Valid JSON.
 * @param parseNumber Converts the text of a number.
 */
export function parseDeepJson(text: string, parseNumber: (text: string) => unknown): unknown {
  const mark = crypto.randomUUID();
  const marked = markNumbers(text, (token) =>
    typeof parseNumber(token) === "number" ? token : `"${mark}${token}"`,
  );
  const root: { value: unknown } = { value: JSON.parse(marked) };
  const open: object[] = [root];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key);
      if (typeof value === "object" && value !== null) open.push(value);
      if (typeof value !== "string" || !value.startsWith(mark)) continue;
      // An assignment to the key `__proto__` would set the prototype.
      const number = parseNumber(value.slice(mark.length));
      Object.defineProperty(holder, key, { ...ORDINARY, value: number });
    }
  }
  return root.value;
}

const ORDINARY = { writable: true, enumerable: true, configurable: true } as const;

/** Without a regular expression, which overflows on a string with a million escapes. */
function markNumbers(text: string, write: (token: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    NUMBER.lastIndex = at;
    if (code === QUOTE) at = endOfString(text, at);
    else if (code > QUOTE && code < 0x3a && NUMBER.test(text)) {
      parts.push(text.slice(from, at), write(text.slice(at, NUMBER.lastIndex)));
      at = NUMBER.lastIndex;
      from = at;
    } else at += 1;
  }
  return parts.join("") + text.slice(from);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}
