import jsTokens, { type Token } from "js-tokens";

/** What the tokens of a text say about its end: it is open, whole, or the compiler has to be asked. */
export type Scan = "open" | "whole" | "unsure";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Heads of statements that may be whole or may want a body. */
const HEADS = words(
  "if for while function class interface enum namespace with switch try async abstract declare " +
    "type @ else do export import",
);
/** Words after which something has to follow. */
const GO_ON = words(
  "const let var new return typeof await extends implements else try finally do of in instanceof " +
    "import export from as satisfies",
);
/** Punctuation that may end a statement. */
const ENDS = words(") ] } ; ++ --");
const BEFORE_STATEMENT = words("; { }");
const BLANK = words("WhiteSpace LineTerminatorSequence SingleLineComment MultiLineComment");

/** Looks at brackets, strings and the last token only; it never takes an open text for whole. */
export function scanTypeScript(text: string): Scan {
  let depth = 0;
  let last: Token | undefined;
  let isStart = true;
  let isHeaded = false;
  for (const token of jsTokens(text)) {
    const unclosed = scanOfUnclosed(token, last);
    if (unclosed !== undefined) return unclosed;
    if (token.type === "LineTerminatorSequence") isStart = true;
    if (BLANK.has(token.type)) continue;
    depth += nestingOf(token);
    if (depth < 0) return "unsure";
    isHeaded ||= isStart && HEADS.has(token.value);
    isStart = BEFORE_STATEMENT.has(token.value);
    last = token;
  }
  if (depth > 0) return "open";
  return isHeaded || (last !== undefined && goesOn(last)) ? "unsure" : "whole";
}

function scanOfUnclosed(token: Token, last: Token | undefined): Scan | undefined {
  // TypeScript's `!` ends an operand: the slash behind it may divide.
  if (token.type === "RegularExpressionLiteral" && last?.value === "!") return "unsure";
  if (!("closed" in token) || token.closed) return undefined;
  const spansLines = token.type !== "StringLiteral" && token.type !== "RegularExpressionLiteral";
  return spansLines ? "open" : "unsure";
}

function nestingOf({ type, value }: Token): number {
  if (type === "TemplateHead") return 1;
  if (type === "TemplateTail") return -1;
  if (type !== "Punctuator") return 0;
  return "([{".includes(value) ? 1 : ")]}".includes(value) ? -1 : 0;
}

function goesOn({ type, value }: Token): boolean {
  return type === "Punctuator" ? !ENDS.has(value) : GO_ON.has(value);
}
