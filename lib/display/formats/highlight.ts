/** What a piece of source text is; what is none of these has no kind. */
export type TokenKind = "name" | "attribute" | "string" | "number" | "comment";

/** A piece of source text. */
export interface HighlightToken {
  readonly kind: TokenKind | undefined;
  readonly text: string;
}

/** A rule of a language: what it matches from where the last one ended is of this kind. */
type Rule = readonly [pattern: RegExp, kind: TokenKind | undefined];

// Beyond so many the rest stays plain: each costs markup, and a cell has a bound.
const MOST_TOKENS = 2_000;

const TAG: readonly Rule[] = [
  [/"[^"]*"?|'[^']*'?/y, "string"],
  [/(?<==\s*)[^\s"'>]+/y, "string"],
  [/[^\s"'=/>]+/y, "attribute"],
  [/[\s=/]+/y, undefined],
];

const MARKUP: readonly Rule[] = [
  [/<!--[\s\S]*?(?:-->|$)/y, "comment"],
  [/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/y, "string"],
  [/<[!?][^>]*>?/y, "comment"],
  [/<\/?[A-Za-z_:][^\s/>]*/y, "name"],
  [/&#?[\w]+;/y, "number"],
  [/[^<&]+|[<&]/y, undefined],
];

const JSON_RULES: readonly Rule[] = [
  [/"(?:[^"\\\n]|\\.)*"(?=\s*:)/y, "name"],
  [/"(?:[^"\\\n]|\\.)*"?/y, "string"],
  [/-?\d[\d.eE+-]*|\b(?:true|false|null)\b/y, "number"],
  [/[^"\d\-tfn]+|[\s\S]/y, undefined],
];

const LANGUAGES: Readonly<Record<string, readonly Rule[]>> = {
  html: MARKUP,
  xml: MARKUP,
  json: JSON_RULES,
};

/** Takes a text in HTML, XML or JSON apart for the eye; whatever is wrong with it, no character is lost. */
export function highlight(text: string, language: string | undefined): readonly HighlightToken[] {
  const rules =
    language !== undefined && Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (rules === undefined) return [{ kind: undefined, text }];
  const tokens: HighlightToken[] = [];
  let isTag = false;
  let at = 0;
  while (at < text.length && tokens.length < MOST_TOKENS) {
    if (isTag && text[at] === ">") isTag = false;
    const token = matchAt(text, at, isTag ? TAG : rules);
    // The name of a tag opens it; a comment or a declaration ends by itself.
    if (rules === MARKUP && token.kind === "name" && token.text.startsWith("<")) isTag = true;
    tokens.push(token);
    at += token.text.length;
  }
  if (at < text.length) tokens.push({ kind: undefined, text: text.slice(at) });
  return tokens;
}

function matchAt(text: string, at: number, rules: readonly Rule[]): HighlightToken {
  for (const [pattern, kind] of rules) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return { kind, text: found };
  }
  return { kind: undefined, text: text.charAt(at) };
}
