import type { NameRule } from "../names/mod.ts";
import { besideMarks, type Found, isHidden, type Stretch } from "../names/mod.ts";

// Stops `https://ada:password@host`, `?access_token=…`, `#id_token=…` and `password=…` of forms.

/** The secrets of a URL: user information, and parameters with secret names, as written and decoded. */
export function findInUrl(url: string, isSecretName: NameRule, found: Found): void {
  // Most URLs have none of these, and every request is searched.
  if (!/[@?#]/.test(url)) return;
  const [, authority = "", query, fragment] =
    /^(?:[^:/?#]*:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#([\s\S]*))?/.exec(url) ?? [];
  const end = authority.lastIndexOf("@");
  if (end > 0) findInUserInfo(authority.slice(0, end), found);
  if (query !== undefined) findInForm(query, isSecretName, found);
  if (fragment !== undefined) findInForm(fragment, isSecretName, found);
}

/** A user name is not a secret, unless it is a token that needs no password. */
function findInUserInfo(info: string, found: Found): void {
  const colon = info.indexOf(":");
  if (colon < 0 && info.length < SHORTEST_TOKEN) return;
  const secret = info.slice(colon + 1);
  found(secret);
  found(decodedPlainly(secret));
}

const SHORTEST_TOKEN = 16;

function decodedPlainly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken escapes are kept as they are.
    return text;
  }
}

/** The secrets of URLs in any text. */
export function findUrlsIn(text: string, isSecretName: NameRule, found: Found): void {
  for (const { start, end } of findInUrls(text, isSecretName)) {
    const value = text.slice(start, end);
    if (text[end] === "@") findInUserInfo(value, found);
    else {
      found(value);
      found(decoded(value));
    }
  }
}

/** The secrets of a form (`application/x-www-form-urlencoded`). */
export function findInForm(text: string, isSecretName: NameRule, found: Found): void {
  // One by one: a list of all pairs would be far larger than the form.
  for (const [, name = "", value = ""] of text.trim().matchAll(FORM_PAIR)) {
    if (!isSecretName(decoded(name))) continue;
    found(value);
    found(decoded(value));
    found(decodedPlainly(value));
  }
}

const FORM_PAIR = /(?<=^|[&;])([^=&;]+)=([^&;]*)/g;

// Each part is bounded, so that matching takes linear time.
const USER_INFO = /:\/\/([^\s/?#@"'<>\\{}]{1,500})@/g;
const PARAMETER = /[?&;#]([\w.~%[\]$-]{1,64})=([^&\s"'<>#;\\`)\]]{1,4096})/g;

/**
 * The ranges that are secret by their place in a URL, whether known or not: user information, and
 * parameters with secret names. Placeholders and masks are left out.
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

/** Text beside a placeholder is a secret from this length on. */
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

/** The offset from which on a URL may continue in the next piece of a stream. */
export function openUrl(text: string, isSecretName: NameRule): number {
  const end = text.slice(-600);
  const match = OPEN.exec(end);
  if (match === null) return text.length;
  const name = /^[?&;]([^=]+)=/.exec(match[0])?.[1];
  if (name !== undefined && !isSecretName(decoded(name))) return text.length;
  return text.length - end.length + match.index;
}

/** Decodes a name or a value of a query. */
export function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Broken escapes are kept as they are.
    return text;
  }
}
