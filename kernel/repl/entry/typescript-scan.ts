import type { Token } from "js-tokens";
import jsTokens from "js-tokens";

/** Whether a text is complete, judged by its tokens; if `unsure`, the compiler has to decide. */
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

/** Scans brackets, strings and the last token. It never reports an open text as complete. */
export function scanTypeScript(text: string): Scan {
  let result: Scan = "complete";
  for (const { scan } of scanLines(text)) result = scan;
  return result;
}

/** The beginning of a text up to the end of one of its lines, and whether it is complete. */
interface ScannedLine {
  readonly end: number;
  readonly scan: Scan;
  /** Whether there are only comments so far. */
  readonly isBlank: boolean;
}

/** Scans a text up to the end of each of its lines, except those within a template or a comment. */
export function* scanLines(text: string): Generator<ScannedLine> {
  let end = 0;
  let depth = 0;
  let last: Token | undefined;
  let isStart = true;
  let hasHead = false;
  /** Once a bracket or a string is wrong, the compiler decides. */
  let isFaulty = false;
  const line = (): ScannedLine => ({ end, scan: scan(), isBlank: last === undefined });
  const scan = (): Scan => {
    if (isFaulty) return "unsure";
    if (depth > 0) return "open";
    return hasHead || (last !== undefined && needsMore(last)) ? "unsure" : "complete";
  };
  for (const token of jsTokens(text)) {
    const unclosed = scanUnclosed(token, last);
    if (unclosed === "open") {
      yield { end: text.length, scan: "open", isBlank: false };
      return;
    }
    isFaulty ||= unclosed === "unsure";
    if (token.type === "LineTerminatorSequence") {
      yield line();
      isStart = true;
    }
    end += token.value.length;
    if (BLANK.has(token.type)) continue;
    depth += nestingOf(token);
    isFaulty ||= depth < 0;
    hasHead ||= isStart && HEADS.has(token.value);
    isStart = BEFORE_STATEMENT.has(token.value);
    last = token;
  }
  yield line();
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
