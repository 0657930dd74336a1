import { unescapeText } from "../search/mod.ts";
import { looksSecret } from "./find-pairs.ts";
import type { Found, NameRule } from "./names.ts";

// Stops `<access_token>…</access_token>` of SOAP, `<add key="ApiKey" value="…"/>` of configurations,
// `<meta name="csrf-token" content="…">` and hidden `<input name="csrf_token" value="…">` of pages.

/** Attributes that name a value in another attribute, or in the content of the element. */
const NAMING = /^(?:name|key|id|property|itemprop|data-name)$/i;
const VALUED = /^(?:value|content|val|data-value)$/i;

const ATTRIBUTE =
  /([A-Za-z_:@][\w.:-]{0,120})\s{0,20}=\s{0,20}(?:"([^"]{0,20000})"|'([^']{0,20000})'|([^\s"'<>=`]{1,4096}))/g;
// A tag ends before the next `<`, so that a text of nothing else is read once. Its length is bounded:
// a regular expression remembers each repetition for backtracking, and fails after some millions.
const TAG = /<([A-Za-z_][\w.:-]{0,120})((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,100000})>([^<]{0,20000})/g;

/**
 * The secrets of XML and HTML: contents of elements and values of attributes with secret names, and
 * values that another attribute names. The text is not parsed, so that a broken page costs one pass.
 */
export function findInMarkup(text: string, isSecretName: NameRule, found: Found): void {
  for (const [, element = "", attributes = "", raw = ""] of text.matchAll(TAG)) {
    const content = plain(raw.trim());
    if (isSecretName(element)) found(content);
    if (!attributes.includes("=")) continue;
    let isNamed = false;
    // A label is made of words.
    const values = looksSecret(content) ? [content] : [];
    for (const [, name = "", double, single, bare = ""] of attributes.matchAll(ATTRIBUTE)) {
      const value = plain(double ?? single ?? bare);
      if (NAMING.test(name)) isNamed ||= isSecretName(value);
      else if (VALUED.test(name) && !value.includes(" ")) values.push(value);
    }
    if (isNamed) for (const value of values) found(value);
  }
}

/** Replaces character references by their characters. */
function plain(text: string): string {
  return text.includes("&") ? (unescapeText(text)?.text ?? text) : text;
}
