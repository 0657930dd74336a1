import { isHidden, type Stretch } from "../search/mod.ts";
import type { Pair } from "./find-pairs.ts";
import type { Found, NameRule } from "./names.ts";

// Stops `https://ada:password@host`, `?access_token=…`, `#id_token=…` and `password=…` of forms.

/** The secrets of a URL: user information, and parameters with secret names. */
export function findInUrl(url: string, isSecretName: NameRule, found: Found): void {
  // Most URLs have none of these, and every request is searched.
  if (!/[@?#]/.test(url)) return;
  const [, info = "", query = "", fragment = ""] =
    /^(?:[^:/?#]*:\/\/(?:([^/?#]*)@)?)?[^?#]*(?:\?([^#]*))?(?:#([\s\S]*))?/.exec(url) ?? [];
  findInUserInfo(info, found);
  findInForm(query, isSecretName, found);
  findInForm(fragment, isSecretName, found);
}

/** A user name is not a secret, unless it is a token that needs no password. */
const SHORTEST_TOKEN = 16;

function findInUserInfo(info: string, found: Found): void {
  const colon = info.indexOf(":");
  if (colon >= 0 || info.length >= SHORTEST_TOKEN) found(decoded(info.slice(colon + 1)));
}

const FORM_PAIR = /(?<=^|[&;])([^=&;]+)=([^&;]*)/g;

/** The secrets of a form (`application/x-www-form-urlencoded`). */
export function findInForm(text: string, isSecretName: NameRule, found: Found): void {
  for (const { value } of pairsInForm(text, isSecretName)) found(value);
}

/** The values of a form below secret names, one by one: a list of all would be far larger than the form. */
export function* pairsInForm(text: string, isSecretName: NameRule): Generator<Pair> {
  for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.matchAll(FORM_PAIR)) {
    if (!isSecretName(decodedField(name))) continue;
    const start = index + whole.length - value.length;
    const written = value.trimEnd();
    yield { start, end: start + written.length, value: decodedField(written) };
  }
}

/** The secrets of URLs in any text. */
export function findInUrls(text: string, isSecretName: NameRule, found: Found): void {
  for (const { start, end } of locateInUrls(text, isSecretName)) {
    const value = text.slice(start, end);
    if (text[end] === "@") findInUserInfo(value, found);
    else found(decodedField(value));
  }
}

// No part begins within another one, so matching takes linear time.
const USER_INFO = /:\/\/([^\s/?#@"'<>\\{}]+)@/g;
const PARAMETER = /[?&;#]([\w.~%[\]$-]{1,64})=([^&\s"'<>#;\\`)\]]+)/g;

/**
 * The ranges that are secret by their place in a URL, whether known or not: user information, and
 * parameters with secret names. Those with a placeholder or a mask are left out.
 */
export function locateInUrls(text: string, isSecretName: NameRule): readonly Stretch[] {
  const found: Stretch[] = [];
  const push = (end: number, value: string): void => {
    if (!isHidden(value)) found.push({ start: end - value.length, end });
  };
  if (text.includes("@") && text.includes("://")) {
    for (const { index, 0: whole, 1: value = "" } of text.matchAll(USER_INFO)) {
      push(index + whole.length - 1, value);
    }
  }
  if (text.includes("=")) {
    for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.matchAll(PARAMETER)) {
      if (isSecretName(decodedField(name))) push(index + whole.length, value);
    }
  }
  return found;
}

/** Decodes a name or a value of a form or a query. */
function decodedField(text: string): string {
  return decoded(text.replaceAll("+", " "));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken escapes are kept as they are.
    return text;
  }
}
