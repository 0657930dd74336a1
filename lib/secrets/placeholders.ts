/** A range of a text. */
export interface Stretch {
  /** Its first UTF-16 offset. */
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
}

/** A range of a text that contains a secret, and its replacement. */
export interface SecretRange extends Stretch {
  /** `{{auth.apiKey}}` where it came from a placeholder, else `•••`. */
  readonly shown: string;
}

/** The mask of a secret that did not come from a placeholder. */
export const HIDDEN = "•••";

/** Whether a text contains a mask or a placeholder. */
export function isHidden(text: string): boolean {
  return text.includes("{{") || text.includes(HIDDEN);
}

const MARKS = /\{\{\s{0,10}%?[\p{L}_$][^{}]{0,200}\}\}|•••/gu;
const SCHEME = /^(?:Basic|Bearer|Digest|Negotiate|NTLM|Token|ApiKey|DPoP)\s/i;

/** Whether a text consists of placeholders and masks alone, apart from a scheme and separators. */
export function isPlaceholder(text: string): boolean {
  return isHidden(text) && /^[\s:;,.&=/+_-]*$/.test(text.replace(SCHEME, "").replace(MARKS, ""));
}

/** Sorts ranges, and joins those that overlap: half a secret must not remain. */
export function joinRanges(found: readonly SecretRange[]): readonly SecretRange[] {
  const joined: { start: number; end: number; shown: string }[] = [];
  for (const range of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || range.start >= last.end) {
      joined.push({ ...range });
      continue;
    }
    last.end = Math.max(last.end, range.end);
    if (last.shown === HIDDEN) last.shown = range.shown;
  }
  return joined;
}

/** Replaces ranges of a text. */
export function maskRanges(
  text: string,
  ranges: readonly SecretRange[],
  write: (shown: string) => string = (shown) => shown,
): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, shown } of ranges) {
    parts.push(text.slice(from, start), write(shown));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
