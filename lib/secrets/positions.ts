import { besideMarks, isHidden, type Stretch } from "./hidden.ts";
import type { NameRule } from "./names.ts";

// Each stretch is bounded, so that no text is walked over twice.
const USER_INFO = /:\/\/([^\s/?#@"'<>\\{}]{1,500})@/g;
const PARAMETER = /[?&;#]([\w.~%[\]$-]{1,64})=([^&\s"'<>#;\\`)\]]{1,4096})/g;

/**
 * What is secret by its place in a URL, known or not: user information, and query parameters whose
 * names say so. What is masked already, and placeholders, stay.
 */
export function findInUrls(text: string, isSecretName: NameRule): readonly Stretch[] {
  const found: Stretch[] = [];
  if (text.includes("@") && text.includes("://")) {
    for (const { index, 0: whole, 1: value = "" } of text.matchAll(USER_INFO)) {
      const start = index + whole.length - 1 - value.length;
      push(found, start, value);
    }
  }
  if (text.includes("=")) {
    for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.matchAll(PARAMETER)) {
      const start = index + whole.length - value.length;
      if (isSecretName(decoded(name))) push(found, start, value);
    }
  }
  return found;
}

/** Beside a placeholder only what is long enough to be a secret by itself is one. */
const SHORTEST_BESIDE = 8;

function push(found: Stretch[], from: number, value: string): void {
  if (!isHidden(value)) {
    found.push({ start: from, end: from + value.length });
    return;
  }
  for (const { start, end } of besideMarks(value)) {
    if (end - start >= SHORTEST_BESIDE) found.push({ start: from + start, end: from + end });
  }
}

const OPEN =
  /:\/?$|:\/\/[^\s/?#@"'<>\\{}]{0,500}$|[?&;](?:[\w.~%[\]$-]{0,64}|[\w.~%[\]$-]{1,64}=[^&\s"'<>#;\\`)\]]{0,500})$/;

/** Where a URL may go on in the next piece of a stream: from here on it has to wait. */
export function openUrl(text: string, isSecretName: NameRule): number {
  const end = text.slice(-600);
  const match = OPEN.exec(end);
  if (match === null) return text.length;
  const name = /^[?&;]([^=]+)=/.exec(match[0])?.[1];
  if (name !== undefined && !isSecretName(decoded(name))) return text.length;
  return text.length - end.length + match.index;
}

/** A name or a value of a query as a person would write it. */
export function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Broken escapes are taken as they stand.
    return text;
  }
}
