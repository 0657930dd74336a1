/** What the tokens of a text say about its end: it is open, whole, or the compiler has to be asked. */
export type Scan = "open" | "whole" | "unsure";

/** Behind these a slash divides; anywhere else it begins a regular expression. */
const ENDS_OPERAND = /[\p{L}\p{N}_$)\]}"'`]$/u;
const OPERATOR_WORD =
  /(?:^|[^\p{L}\p{N}_$.])(?:return|typeof|case|in|of|delete|void|await|new|instanceof)$/u;

/** Ends after which something has to follow. */
const GOES_ON =
  /(?:[=+*%&|^<?:,.~]|[^+]\+|[^-]-|=>|(?:^|[^\p{L}\p{N}_$.])(?:const|let|var|new|return|typeof|await|extends|implements|else|try|finally|do|of|in|instanceof|import|export|from|as|satisfies))$/u;
/** Heads of statements that may be whole or may want a body. */
const HEADED =
  /(?:^|[\n;{}])\s*(?:if|for|while|function|class|interface|enum|namespace|with|switch|try|async|abstract|declare|type|@|else|do|export|import)\b/u;

/** Looks at brackets, strings and the last token only; it never takes an open text for whole. */
export function scanTypeScript(text: string): Scan {
  const open: string[] = [];
  let code = "";
  let index = 0;
  while (index < text.length) {
    const character = text[index] ?? "";
    if (open.at(-1) === "`" && character !== "`" && !text.startsWith("${", index)) {
      index += character === "\\" ? 2 : 1;
      continue;
    }
    const skipped = skip(text, index, code);
    if (skipped !== undefined) {
      if (skipped === "open") return "open";
      code += skipped.left;
      index = skipped.next;
      continue;
    }
    if (character === "`") {
      if (open.at(-1) === "`") open.pop();
      else open.push("`");
      code += "`";
    } else if (open.at(-1) === "`") {
      open.push("${");
      index += 1;
    } else {
      if (OPENING.has(character)) open.push(character);
      else if (CLOSING.has(character) && open.pop() === undefined) return "unsure";
      code = code.slice(-200) + character;
    }
    index += 1;
  }
  if (open.length > 0) return "open";
  const end = code.trimEnd();
  if (GOES_ON.test(end) && !/(?:\+\+|--)$/.test(end)) return "unsure";
  return HEADED.test(text) ? "unsure" : "whole";
}

const OPENING: ReadonlySet<string> = new Set(["(", "[", "{"]);
const CLOSING: ReadonlySet<string> = new Set([")", "]", "}"]);

/** A comment, string or regular expression that begins here; `left` stands in its place. */
function skip(
  text: string,
  index: number,
  code: string,
): { readonly next: number; readonly left: string } | "open" | undefined {
  if (text.startsWith("//", index)) {
    const end = text.indexOf("\n", index);
    return { next: end === -1 ? text.length : end, left: "" };
  }
  if (text.startsWith("/*", index)) {
    const end = text.indexOf("*/", index + 2);
    return end === -1 ? "open" : { next: end + 2, left: " " };
  }
  const character = text[index];
  if (character === '"' || character === "'") return literal(STRINGS[character], text, index);
  if (character !== "/") return undefined;
  const before = code.trimEnd();
  const divides = ENDS_OPERAND.test(before) && !OPERATOR_WORD.test(before);
  return divides ? undefined : literal(REGULAR_EXPRESSION, text, index);
}

const STRINGS = { '"': /"(?:[^"\\\n]|\\[\s\S])*"?/y, "'": /'(?:[^'\\\n]|\\[\s\S])*'?/y };
const REGULAR_EXPRESSION = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\/?\w*/y;

function literal(pattern: RegExp, text: string, index: number): { next: number; left: string } {
  pattern.lastIndex = index;
  return { next: index + (pattern.exec(text)?.[0].length ?? 1), left: '""' };
}
