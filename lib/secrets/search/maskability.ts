/** A kind of text, and how long it has to be not to occur by chance. */
interface Kind {
  readonly pattern: RegExp;
  /** The characters that count. */
  readonly counted: RegExp;
  readonly least: number;
  /** Says how many there are, and what masking would hide. */
  readonly reason: (count: number) => string;
}

// In one case, or capitalized: random letters change their case more often. Letters without case are
// too many to occur by chance.
const WORD = String.raw`(?:\p{Lu}?\p{Ll}+|\p{Lu}+)`;
// Names such as `keep-alive`, `text/html` and `camelCase` are as common as words.
const SECOND_WORD = String.raw`(?:[._/-]${WORD}|\p{Lu}\p{Ll}{2,})`;

/** The fewer kinds of characters a text has, the more of them it needs. */
const KINDS: readonly Kind[] = [
  {
    pattern: /^/,
    counted: /./gsu,
    least: 4,
    reason: (count) =>
      `it has ${some(count, "character")}, and masking a text that short would hide half of the output`,
  },
  {
    pattern: /^[-+.\s]*\d[-+.\d\s]*$/,
    counted: /\d/g,
    least: 6,
    reason: (count) =>
      `it is a number of ${some(count, "digit")}, and sizes, ports and times look like it`,
  },
  {
    pattern: new RegExp(`^${WORD}${SECOND_WORD}?$`, "u"),
    counted: /\p{L}/gu,
    least: 16,
    reason: (count) =>
      `it looks like a word of ${some(count, "letter")}, and texts are full of words`,
  },
  {
    pattern: /^[\s!-/:-@[-`{-~]*$/,
    counted: /\S/g,
    least: 8,
    reason: (count) =>
      `it has ${some(count, "symbol")} and no letter or digit, like what separates words`,
  },
];

/** A longer text is masked only in its place, below a secret name. */
export const LONGEST = 16_384;
const FEWEST_DIFFERENT = 3;

/**
 * The reason why a text cannot be masked, or nothing if it can. A text that also occurs in unrelated output
 * cannot: masking would hide half of that output, and the gaps would reveal the text. The rule is the same for
 * the values of people and of servers; otherwise a server could remove any word from all output. The reason does
 * not contain the text.
 */
export function whyUnsafe(text: string): string | undefined {
  if (text.length > LONGEST) return `it has more than ${LONGEST} characters`;
  const trimmed = text.trim();
  if (trimmed === "") return "it is blank, and blanks are everywhere";
  for (const { pattern, counted, least, reason } of KINDS) {
    if (!pattern.test(trimmed)) continue;
    const count = trimmed.match(counted)?.length ?? 0;
    if (count < least) return `${reason(count)}; at least ${least} are needed`;
  }
  if (new Set(trimmed).size < FEWEST_DIFFERENT) {
    return "it repeats one or two characters, as separator lines do";
  }
  return undefined;
}

function some(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
