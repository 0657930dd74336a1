import { unescapeText } from "../search/mod.ts";
import { looksSecret, type Pair } from "./find-pairs.ts";
import type { NameRule } from "./names.ts";

// Stops `<access_token>…</access_token>` of SOAP, `<add key="ApiKey" value="…"/>` of configurations,
// `<meta name="csrf-token" content="…">` and hidden `<input name="csrf_token" value="…">` of pages.

/** Attributes that name a value in another attribute, or in the content of the element. */
const NAMING = /^(?:name|key|id|property|itemprop|data-name)$/i;
const VALUED = /^(?:value|content|val|data-value)$/i;

const ATTRIBUTE =
  /([A-Za-z_:@][\w.:-]{0,120})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/g;
// A tag ends before the next `<`, so that a text of nothing else is read once. Its length is bounded:
// a regular expression remembers each repetition for backtracking, and fails after some millions.
const TAG = /<([A-Za-z_][\w.:-]{0,120})((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,100000})>([^<]*)/g;

/**
 * The secrets of XML and HTML: contents of elements and values of attributes with secret names, and
 * values that another attribute names. The text is not parsed, so that a broken page costs one pass.
 */
export function* pairsInMarkup(text: string, isSecretName: NameRule): Generator<Pair> {
  for (const match of text.matchAll(TAG)) {
    const [whole, element = "", attributes = "", raw = ""] = match;
    const end = match.index + whole.trimEnd().length;
    const content = pairAt(raw.trim(), end);
    if (isSecretName(element)) yield content;
    if (!attributes.includes("=")) continue;
    let isNamed = false;
    // A label is made of words.
    const values = looksSecret(content.value) ? [content] : [];
    const from = match.index + 1 + element.length;
    for (const attribute of attributes.matchAll(ATTRIBUTE)) {
      const [written, name = "", double, single, bare = ""] = attribute;
      const quote = double === undefined && single === undefined ? 0 : 1;
      const pair = pairAt(
        double ?? single ?? bare,
        from + attribute.index + written.length - quote,
      );
      if (NAMING.test(name)) isNamed ||= isSecretName(pair.value);
      else if (VALUED.test(name) && !pair.value.includes(" ")) values.push(pair);
    }
    if (isNamed) yield* values;
  }
}

function pairAt(written: string, end: number): Pair {
  return { start: end - written.length, end, value: plain(written) };
}

/** Replaces character references by their characters. */
function plain(text: string): string {
  return text.includes("&") ? (unescapeText(text)?.text ?? text) : text;
}
