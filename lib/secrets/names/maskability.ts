/** A kind of text, and how much of it stands nowhere by chance. */
interface Kind {
  readonly pattern: RegExp;
  /** What of it is counted. */
  readonly counted: RegExp;
  readonly least: number;
  /** Says how much there is of it, and what would be masked along with it. */
  readonly reason: (count: number) => string;
}

// In one case, or capitalised. Random letters change their case more often, and letters without case
// are too many for this.
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
      `it has ${some(count, "character")}, and to mask so short a text would hide half of what is shown`,
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
      `it has ${some(count, "sign")} and no letter or digit, like what stands between words`,
  },
];

const LONGEST = 16_384;
const FEWEST_DIFFERENT = 3;

/**
 * Says why a text cannot be masked, or nothing where it can. It has to be unlikely in texts that have
 * nothing to do with it: else masking hides those, and tells by its gaps what is hidden. The rule is
 * one for what people set and for what servers send, which could take any word out of every text. The
 * reason does not hold the text.
 */
export function whyUnsafe(text: string): string | undefined {
  if (text.length > LONGEST) return `it has more than ${LONGEST} characters`;
  const trimmed = text.trim();
  if (trimmed === "") return "it is blank, and blanks stand everywhere";
  for (const { pattern, counted, least, reason } of KINDS) {
    if (!pattern.test(trimmed)) continue;
    const count = trimmed.match(counted)?.length ?? 0;
    if (count < least) return `${reason(count)}; at least ${least} are needed`;
  }
  if (new Set(trimmed).size < FEWEST_DIFFERENT) {
    return "it repeats one or two characters, as rules and blanks do";
  }
  return undefined;
}

function some(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
