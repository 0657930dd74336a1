/** A stretch of a text. */
export interface Stretch {
  /** Its first UTF-16 offset. */
  readonly start: number;
  /** The offset behind its last character. */
  readonly end: number;
}

/** Told of a text that is a secret, and of the placeholder that it came from, if it did. */
export type Found = (text: string, placeholder?: string) => void;

/** What stands in the place of a secret that came from no placeholder. */
export const HIDDEN = "•••";

/** Whether a text is what stands in the place of a secret, or a template that names one. */
export function isHidden(text: string): boolean {
  return text.includes("{{") || text.includes(HIDDEN);
}

const MARKS = /\{\{\s{0,10}[\p{L}_$][^{}]{0,200}\}\}|•••/gu;
const SCHEME = /^(?:Basic|Bearer|Digest|Negotiate|NTLM|Token|ApiKey|DPoP)\s/i;

/** Whether a text is nothing but placeholders and marks, a scheme before them and what joins them. */
export function isPlaceholder(text: string): boolean {
  return isHidden(text) && /^[\s:;,.&=/+_-]*$/.test(text.replace(SCHEME, "").replace(MARKS, ""));
}

/** The placeholders of a text. */
export function marksIn(text: string): readonly string[] {
  return (text.match(MARKS) ?? []).filter((mark) => mark !== HIDDEN);
}

/** What of a text stands beside placeholders and marks. */
export function besideMarks(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(MARKS)) {
    stretches.push({ start, end: index });
    start = index + mark.length;
  }
  stretches.push({ start, end: text.length });
  return stretches;
}
