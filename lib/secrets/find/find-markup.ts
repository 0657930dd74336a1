import type { Found, NameRule } from "../names/mod.ts";
import { unescapeText } from "../search/mod.ts";

// Stops `<access_token>…</access_token>` of SOAP, `<add key="ApiKey" value="…"/>` of configurations,
// `<meta name="csrf-token" content="…">` and hidden `<input name="csrf_token" value="…">` of pages.

/** What a tag calls a value that stands elsewhere in it, or behind it. */
const NAMING = /^(?:name|key|id|property|itemprop|data-name)$/i;
const VALUED = /^(?:value|content|val|data-value)$/i;
/** Controls of a page whose value is their label, and elements of a page whose text is a value. */
const LABELLED = /^(?:submit|button|reset|checkbox|radio|image)$/i;
const HOLDING = /^(?:textarea|output|code|samp|kbd|pre)$/i;

const ATTRIBUTE =
  /([A-Za-z_:@][\w.:-]{0,120})\s{0,20}=\s{0,20}(?:"([^"]{0,20000})"|'([^']{0,20000})'|([^\s"'<>=`]{1,4096}))/g;
// No part of a tag goes over the next `<`, so that a text of nothing else is read once. What goes on
// for longer is none: a regular expression keeps a way back for each turn, and fails at some millions.
const TAG = /<([A-Za-z_][\w.:-]{0,120})((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,100000})>([^<]{0,20000})/g;

/**
 * The secrets of XML and HTML: texts of elements and values of attributes whose names say so, and
 * what is called so beside them. The text is not parsed, so that a broken page costs no more than a
 * pass.
 */
export function findInMarkup(
  text: string,
  isHtml: boolean,
  isSecretName: NameRule,
  found: Found,
): void {
  for (const [, element = "", attributes = "", content = ""] of text.matchAll(TAG)) {
    const isCalledSo = findInAttributes(attributes, isSecretName, found);
    const holds = isSecretName(element) || (isCalledSo && (!isHtml || HOLDING.test(element)));
    if (holds) found(plain(content.trim()));
  }
}

/** Says whether the attributes call the value of their element by a secret name. */
function findInAttributes(attributes: string, isSecretName: NameRule, found: Found): boolean {
  if (!attributes.includes("=")) return false;
  let isCalledSo = false;
  let isLabel = false;
  const values: string[] = [];
  for (const [, name = "", double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = plain(double ?? single ?? bare ?? "");
    if (NAMING.test(name)) isCalledSo ||= isSecretName(value);
    else if (VALUED.test(name)) values.push(value);
    else if (/^type$/i.test(name)) isLabel ||= LABELLED.test(value);
    if (isSecretName(name) && !/^xmlns/i.test(name)) found(value);
  }
  if (isCalledSo && !isLabel) for (const value of values) found(value);
  return isCalledSo;
}

/** Character references as the characters that they stand for. */
function plain(text: string): string {
  return text.includes("&") ? (unescapeText(text)?.text ?? text) : text;
}
