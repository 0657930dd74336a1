import { pathText } from "../interpolation/mod.ts";

/** A token of a text that may be JSON, in UTF-16 offsets. */
export interface JsonToken {
  /** `name` is the key of a member, `mark` a bracket, a colon or a comma; other words have no kind. */
  readonly kind: "name" | "string" | "number" | "literal" | "mark" | undefined;
  readonly start: number;
  readonly end: number;
}

const NO_WORD = /[\s{}[\],:"]/g;
const NO_BLANK = /\S/g;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Splits a text into the tokens of JSON, whether or not it is valid; blanks belong to none. */
export function* jsonTokens(text: string): Generator<JsonToken> {
  let start = nextOf(NO_BLANK, text, 0);
  while (start < text.length) {
    const character = text[start] as string;
    let end = start + 1;
    let kind: JsonToken["kind"] = "mark";
    if (character === '"') {
      end = endOfString(text, start);
      kind = text[nextOf(NO_BLANK, text, end)] === ":" ? "name" : "string";
    } else if (!"{}[],:".includes(character)) {
      end = nextOf(NO_WORD, text, start);
      kind = kindOf(text.slice(start, end));
    }
    yield { kind, start, end };
    start = nextOf(NO_BLANK, text, end);
  }
}

/** An object or a list of a text, with the keys so far, or the number of the item. */
interface Open {
  readonly keys: Set<string> | undefined;
  key: string;
  item: number;
}

/**
 * The keys that objects of a JSON text have more than once, as paths: `$.a.b`. Values have only the last of them.
 *
 * @param text Valid JSON.
 * @param most How many paths are returned at most.
 */
export function repeatedKeys(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  const open: Open[] = [];
  let isKey = false;
  for (let at = 0; at < text.length && found.size < most; at++) {
    const inner = open.at(-1);
    const character = text[at];
    if (character === "{" || character === "[") {
      isKey = character === "{";
      open.push({ keys: isKey ? new Set() : undefined, key: "", item: 0 });
    } else if (character === "}" || character === "]") {
      open.pop();
      isKey = false;
    } else if (character === ",") {
      isKey = inner?.keys !== undefined;
      if (inner !== undefined) inner.item += 1;
    } else if (character === '"') {
      const start = at + 1;
      for (at = start; text[at] !== '"' && at < text.length; at++) if (text[at] === "\\") at++;
      if (isKey && inner?.keys !== undefined) {
        const written = text.slice(start, at);
        inner.key = written.includes("\\") ? JSON.parse(`"${written}"`) : written;
        if (inner.keys.has(inner.key))
          found.add(pathText(open.map((it) => (it.keys === undefined ? it.item : it.key))));
        inner.keys.add(inner.key);
        isKey = false;
      }
    }
  }
  return [...found];
}

function kindOf(word: string): "number" | "literal" | undefined {
  if (/^-?\d/.test(word)) return "number";
  return /^(?:true|false|null)$/.test(word) ? "literal" : undefined;
}

/** Where the next of some characters is. To repeat the others instead would overflow the stack of a long word. */
function nextOf(characters: RegExp, text: string, at: number): number {
  characters.lastIndex = at;
  return characters.exec(text)?.index ?? text.length;
}

/** Not by a regular expression: a string with a million escapes would overflow its stack. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    // A string that is not closed ends with its line.
    if (code === LINE_FEED) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}
