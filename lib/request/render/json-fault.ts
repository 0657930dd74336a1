/** Where a text stops being JSON, and what stands there. */
export interface JsonFault {
  /** UTF-16 offset; the length of the text where it ends unexpectedly. */
  readonly offset: number;
  readonly message: string;
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not hold them
const STRING_MARK = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Finds where a text stops being JSON. Error messages of `JSON.parse` tell it differently in every
 * runtime, or not at all. The stack is a list, so that no depth of nesting can overflow it, as it does
 * jsonc-parser's, which does not tell either what is expected where a key or a value is broken.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let offset = 0;
  let expected: "value" | "value or ]" | "key" | "key or }" | "colon" | "comma" | "end" = "value";
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    if (!pattern.test(text)) return false;
    offset = pattern.lastIndex;
    return true;
  };
  // No single pattern for strings: one that repeats a choice overflows the stack on a long string.
  const readString = (): boolean => {
    if (text[offset] !== '"') return false;
    let index = offset + 1;
    for (;;) {
      STRING_MARK.lastIndex = index;
      if (!STRING_MARK.test(text)) break;
      index = STRING_MARK.lastIndex;
      const mark = text[index - 1];
      if (mark === '"') {
        offset = index;
        return true;
      }
      ESCAPE.lastIndex = index - 1;
      if (mark !== "\\" || !ESCAPE.test(text)) break;
      index = ESCAPE.lastIndex;
    }
    return false;
  };
  const fault = (message: string): JsonFault => ({ offset, message });
  const afterValue = (): "comma" | "end" => (open.length === 0 ? "end" : "comma");
  for (;;) {
    match(SPACE);
    const character = text[offset];
    if (character === undefined)
      return expected === "end" ? undefined : fault("it ends unexpectedly");
    const found = `found ${JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0))}`;
    if (expected === "end") return fault(`expected the end, ${found}`);
    if (expected === "comma") {
      const closing = open.at(-1) ?? "";
      if (character === closing) {
        open.pop();
        expected = afterValue();
      } else if (character === ",") {
        expected = closing === "}" ? "key" : "value";
      } else {
        return fault(`expected "," or "${closing}", ${found}`);
      }
      offset++;
    } else if (expected === "colon") {
      if (character !== ":") return fault(`expected ":", ${found}`);
      offset++;
      expected = "value";
    } else if (expected === "key" || expected === "key or }") {
      if (expected === "key or }" && character === "}") {
        offset++;
        open.pop();
        expected = afterValue();
      } else if (readString()) {
        expected = "colon";
      } else {
        return fault(
          character === '"' ? "a string is malformed" : `expected a quoted key, ${found}`,
        );
      }
    } else if (character === "{" || character === "[") {
      offset++;
      open.push(character === "{" ? "}" : "]");
      expected = character === "{" ? "key or }" : "value or ]";
    } else if (expected === "value or ]" && character === "]") {
      offset++;
      open.pop();
      expected = afterValue();
    } else if (readString() || match(LITERAL)) {
      expected = afterValue();
    } else {
      return fault(character === '"' ? "a string is malformed" : `expected a value, ${found}`);
    }
  }
}
