/** A range of a text. */
export interface Stretch {
  /** Its first UTF-16 offset. */
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
}

/** Receives a secret text, and the placeholder that it came from, if any. */
export type Found = (text: string, placeholder?: string) => void;

/** The mask of a secret that did not come from a placeholder. */
export const HIDDEN = "•••";

/** Whether a text contains a mask or a placeholder. */
export function isHidden(text: string): boolean {
  return text.includes("{{") || text.includes(HIDDEN);
}

const MARKS = /\{\{\s{0,10}[\p{L}_$][^{}]{0,200}\}\}|•••/gu;
const SCHEME = /^(?:Basic|Bearer|Digest|Negotiate|NTLM|Token|ApiKey|DPoP)\s/i;

/** Whether a text consists of placeholders and masks alone, apart from a scheme and separators. */
export function isPlaceholder(text: string): boolean {
  return isHidden(text) && /^[\s:;,.&=/+_-]*$/.test(text.replace(SCHEME, "").replace(MARKS, ""));
}

/** The placeholders of a text. */
export function marksIn(text: string): readonly string[] {
  return (text.match(MARKS) ?? []).filter((mark) => mark !== HIDDEN);
}

/** The ranges of a text beside placeholders and masks. */
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
