import jsTokens, { type Token } from "js-tokens";

/** Whether a text is complete by its tokens; where it is `unsure`, the compiler has to decide. */
type Scan = "open" | "complete" | "unsure";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words that begin statements which may need a body. */
const HEADS = words(
  "if for while function class interface enum namespace with switch try async abstract declare " +
    "type @ else do export import",
);
/** Words that cannot end a statement. */
const CONTINUES = words(
  "const let var new return typeof await extends implements else try finally do of in instanceof " +
    "import export from as satisfies",
);
/** Punctuation that may end a statement. */
const ENDS = words(") ] } ; ++ --");
const BEFORE_STATEMENT = words("; { }");
const BLANK = words("WhiteSpace LineTerminatorSequence SingleLineComment MultiLineComment");

/** Scans brackets, strings and the last token. It never takes an open text for complete. */
export function scanTypeScript(text: string): Scan {
  let depth = 0;
  let last: Token | undefined;
  let isStart = true;
  let hasHead = false;
  for (const token of jsTokens(text)) {
    const unclosed = scanUnclosed(token, last);
    if (unclosed !== undefined) return unclosed;
    if (token.type === "LineTerminatorSequence") isStart = true;
    if (BLANK.has(token.type)) continue;
    depth += nestingOf(token);
    if (depth < 0) return "unsure";
    hasHead ||= isStart && HEADS.has(token.value);
    isStart = BEFORE_STATEMENT.has(token.value);
    last = token;
  }
  if (depth > 0) return "open";
  return hasHead || (last !== undefined && needsMore(last)) ? "unsure" : "complete";
}

function scanUnclosed(token: Token, last: Token | undefined): Scan | undefined {
  // After TypeScript's non-null `!`, a slash may be a division.
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

function needsMore({ type, value }: Token): boolean {
  return type === "Punctuator" ? !ENDS.has(value) : CONTINUES.has(value);
}
