import { jsonTokens } from "../json/mod.ts";

/** The kind of a token of source text; other text has no kind. */
export type TokenKind = "name" | "attribute" | "string" | "number" | "literal" | "comment";

/** A token of source text. */
export interface HighlightToken {
  readonly kind: TokenKind | undefined;
  readonly text: string;
}

/**
 * A rule of a language: a token of this kind begins with what the sticky pattern matches, and ends with the next match
 * of the other. To repeat a character until the end instead would overflow the stack of a long token.
 */
type Rule = readonly [start: RegExp, end: RegExp, kind: TokenKind | undefined];

// The rest stays plain: each token needs markup, and the size of an output is limited.
const TOKEN_LIMIT = 2_000;

const TAG: readonly Rule[] = [
  [/"/y, /"/g, "string"],
  [/'/y, /'/g, "string"],
  [/(?<==\s{0,99})[^\s"'>]/y, /(?=[\s"'>])/g, "string"],
  [/[^\s"'=/>]/y, /(?=[\s"'=/>])/g, "attribute"],
  [/[\s=/]/y, /(?=[^\s=/])/g, undefined],
];

const MARKUP: readonly Rule[] = [
  [/<!--/y, /-->/g, "comment"],
  [/<!\[CDATA\[/y, /\]\]>/g, "string"],
  [/<[!?]/y, />/g, "comment"],
  [/<\/?[A-Za-z_:]/y, /(?=[\s/>])/g, "name"],
  [/&#?\w{1,99};/y, /(?:)/g, "number"],
  [/[\s\S]/y, /(?=[<&])/g, undefined],
];

const LANGUAGES: Readonly<Record<string, readonly Rule[]>> = {
  html: MARKUP,
  xml: MARKUP,
};

/** Splits HTML, XML or JSON into tokens for highlighting. Invalid text loses no characters. */
export function highlight(text: string, language: string | undefined): readonly HighlightToken[] {
  if (language === "json") return highlightJson(text);
  const rules =
    language !== undefined && Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (rules === undefined) return [{ kind: undefined, text }];
  const tokens: HighlightToken[] = [];
  let isTag = false;
  let at = 0;
  while (at < text.length && tokens.length < TOKEN_LIMIT) {
    if (isTag && text[at] === ">") isTag = false;
    const token = matchAt(text, at, isTag ? TAG : rules);
    // A name opens a tag; comments and declarations are single tokens.
    if (rules === MARKUP && token.kind === "name" && token.text.startsWith("<")) isTag = true;
    tokens.push(token);
    at += token.text.length;
  }
  if (at < text.length) tokens.push({ kind: undefined, text: text.slice(at) });
  return tokens;
}

function highlightJson(text: string): readonly HighlightToken[] {
  const tokens: HighlightToken[] = [];
  let at = 0;
  for (const { kind, start, end } of jsonTokens(text)) {
    if (tokens.length >= TOKEN_LIMIT) break;
    if (kind === undefined || kind === "mark") continue;
    if (start > at) tokens.push({ kind: undefined, text: text.slice(at, start) });
    tokens.push({ kind, text: text.slice(start, end) });
    at = end;
  }
  if (at < text.length) tokens.push({ kind: undefined, text: text.slice(at) });
  return tokens;
}

function matchAt(text: string, at: number, rules: readonly Rule[]): HighlightToken {
  for (const [start, end, kind] of rules) {
    start.lastIndex = at;
    if (!start.test(text)) continue;
    end.lastIndex = start.lastIndex;
    return { kind, text: text.slice(at, end.test(text) ? end.lastIndex : text.length) };
  }
  return { kind: undefined, text: text.charAt(at) };
}
