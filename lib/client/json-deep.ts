/** Strings whole, so that no number is found inside one; and numbers. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * Parses JSON of any depth, which JSON.parse takes and a recursive parser does not: numbers are
 * passed through JSON.parse as marked strings.
 *
 * @param text JSON that parses.
 * @param parseNumber Makes a value of the text of a number.
 */
export function parseDeepJson(text: string, parseNumber: (text: string) => unknown): unknown {
  const mark = crypto.randomUUID();
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || typeof parseNumber(token) === "number" ? token : `"${mark}${token}"`,
  );
  const root: { value: unknown } = { value: JSON.parse(marked) };
  const open: object[] = [root];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key);
      if (typeof value === "object" && value !== null) open.push(value);
      if (typeof value !== "string" || !value.startsWith(mark)) continue;
      // Not an assignment: the key may be `__proto__`.
      const number = parseNumber(value.slice(mark.length));
      Object.defineProperty(holder, key, { ...ORDINARY, value: number });
    }
  }
  return root.value;
}

const ORDINARY = { writable: true, enumerable: true, configurable: true } as const;
