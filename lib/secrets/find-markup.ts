import { unescapeText } from "./escapes.ts";
import type { Found } from "./find.ts";
import { isBesideSecrets } from "./leaves.ts";
import type { NameRule } from "./names.ts";

/** What a tag calls a value that stands elsewhere in it, or behind it. */
const NAMING = /^(?:name|key|id|property|itemprop|data-name)$/i;
const VALUED = /^(?:value|content|val|data-value)$/i;
/** Controls of a page whose value is their label, and elements of a page whose text is a value. */
const LABELLED = /^(?:submit|button|reset|checkbox|radio|image)$/i;
const HOLDING = /^(?:textarea|output|code|samp|kbd|pre)$/i;
/** So many texts below one element are taken: an element may never end. */
const MOST_BELOW = 50;

const ATTRIBUTE =
  /([A-Za-z_:@][\w.:-]{0,120})\s{0,20}=\s{0,20}(?:"([^"]{0,70000})"|'([^']{0,70000})'|([^\s"'<>=`]{1,4096}))/g;
// No part of a tag goes over the next `<`, so that a text of nothing else is read once. What goes on
// for longer is none: a regular expression keeps a way back for each turn, and fails at some millions.
const TAG = /<(\/?)([A-Za-z_][\w.:-]{0,120})((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,100000})>/y;

/**
 * The secrets of XML and HTML: texts of elements and values of attributes whose names say so, and
 * what is called so beside them (`<input name="csrf_token" value="…">`, `<entry key="password">…`).
 * The text is not parsed, so that a broken page costs no more than a pass.
 */
export function findInMarkup(
  text: string,
  isHtml: boolean,
  isSecretName: NameRule,
  found: Found,
): void {
  let below = 0;
  let left = 0;
  let element = "";
  const take = (raw: string): void => {
    const value = raw.trim();
    if (below === 0 || left <= 0 || value === "" || isBesideSecrets(element)) return;
    left -= 1;
    foundIn(value, found);
  };
  for (let at = text.indexOf("<"); at >= 0; ) {
    const aside = asideAt(text, at);
    if (aside !== undefined) {
      if (aside.data !== undefined) take(aside.data);
      at = text.indexOf("<", aside.end);
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    const end = tag === null ? at + 1 : TAG.lastIndex;
    const next = text.indexOf("<", end);
    if (tag !== null) {
      const [, slash, name = "", attributes = ""] = tag;
      const isClosed = attributes.endsWith("/");
      if (slash === "/") below = Math.max(0, below - 1);
      else {
        element = name;
        const isCalledSo = findInAttributes(attributes, isSecretName, found);
        const isSecret =
          (isSecretName(name) && !/^xmlns/i.test(name)) ||
          (isCalledSo && (!isHtml || HOLDING.test(name)));
        // A page leaves elements open: there only the text behind the tag is below it.
        if (isHtml) below = 0;
        if (isSecret && below === 0) left = MOST_BELOW;
        if (!isClosed && (isSecret || below > 0)) below += 1;
      }
      take(text.slice(end, next < 0 ? text.length : next));
      if (isHtml) below = 0;
    }
    at = next;
  }
}

/** A comment or a stretch of character data, which no tag stands in. */
function asideAt(
  text: string,
  at: number,
): { readonly end: number; readonly data?: string } | undefined {
  const [open, close] = text.startsWith("<!--", at) ? ["<!--", "-->"] : ["<![CDATA[", "]]>"];
  if (!text.startsWith(open, at)) return undefined;
  const from = at + open.length;
  const end = text.indexOf(close, from);
  const data = text.slice(from, end < 0 ? text.length : end);
  const after = end < 0 ? text.length : end + close.length;
  return open === "<!--" ? { end: after } : { end: after, data };
}

/** Says whether the attributes call the value of their element by a secret name. */
function findInAttributes(attributes: string, isSecretName: NameRule, found: Found): boolean {
  if (!attributes.includes("=")) return false;
  let isCalledSo = false;
  let isLabel = false;
  const values: string[] = [];
  for (const [, name = "", double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? "";
    if (NAMING.test(name)) isCalledSo ||= isSecretName(unescapeMarkup(value));
    else if (VALUED.test(name)) values.push(value);
    else if (/^type$/i.test(name)) isLabel ||= LABELLED.test(value);
    if (isSecretName(name) && !/^xmlns/i.test(name)) foundIn(value, found);
  }
  if (isCalledSo && !isLabel) for (const value of values) foundIn(value, found);
  return isCalledSo;
}

/** A text as a reader sees it, and as it is written: the source of a page is shown, too. */
function foundIn(written: string, found: Found): void {
  found(written);
  if (written.includes("&")) found(unescapeMarkup(written));
}

function unescapeMarkup(text: string): string {
  return unescapeText(text)?.text ?? text;
}
