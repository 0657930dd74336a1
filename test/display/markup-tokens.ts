import type { Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";
import { createSecretStore, type Secrets } from "../../lib/secrets/mod.ts";

/** What a server would call a key if it wanted a placeholder to be markup, or to act on a terminal. */
export const HOSTILE_KEY =
  "x autofocus tabindex=1 onfocus=pwned() ' > \"><img src=x onerror=pwned()> ](javascript:pwned()) ``` $\\href{javascript:pwned()}{y}$ | \u009b2J\u202e\u001b[2J";

/** The placeholder of a secret below such a key. */
export const HOSTILE_MARK: string = `{{login.response.body["${HOSTILE_KEY}"]}}`;

/**
 * Secrets of which one text is known, however short and common it is, and what stands in its place.
 * A client would not learn most of what markup is made of; a rule about that is no lock.
 */
export function secretsOf(text: string, shown: string = HOSTILE_MARK): Secrets {
  const locate: Secrets["locate"] = (whole) => {
    const ranges = [];
    for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + text.length)) {
      ranges.push({ start: at, end: at + text.length, shown });
    }
    return ranges;
  };
  const mask: Secrets["mask"] = (whole, write = (mark) => mark) =>
    whole.replaceAll(text, () => write(shown));
  return { ...createSecretStore(), revision: 0, locate, mask };
}

/** All that a form is written with: tags, attributes, their values, styles, fences, words. */
export function tokensOf(...forms: readonly string[]): readonly string[] {
  const tokens = new Set<string>();
  for (const form of forms) {
    for (const [tag] of form.matchAll(/<[^<>]{1,400}>/g)) {
      tokens.add(tag);
      for (const piece of tag.split(/[\s"'=;:<>/]+/)) tokens.add(piece);
      for (const [pair, value = ""] of tag.matchAll(/[\w-]+="([^"]*)"/g)) {
        tokens.add(pair);
        tokens.add(`${value}">`);
        for (const rule of value.split(";")) tokens.add(rule);
      }
    }
    for (const [between] of form.matchAll(/>\s*<\/?\w+/g)) tokens.add(between);
    for (const [mark] of form.matchAll(/[`|*:-]{2,}\w*|\| :?-|&[#\w]+;|─+| · /g)) tokens.add(mark);
    for (const word of form.split(/[\s<>"=;]+/).slice(0, 400)) tokens.add(word);
  }
  // What is shorter stands in each text a hundred times, and is no secret of anybody's.
  return [...tokens].filter((token) => token.trim().length > 1 && token.length < 200);
}

/** Parses HTML as a browser does, and lists its tags with the names of their attributes. */
export function structureOf(html: string): readonly string[] {
  const tags: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === "comment" || node.type === "doctype") tags.push(node.type);
    if (node.type === "element") {
      // The way to a value is left out where it would tell a secret.
      const names = Object.keys(node.properties).filter((name) => name !== "title");
      tags.push(`${node.tagName} ${names.sort().join(" ")}`);
      // How source text is coloured follows the text.
      if (node.tagName === "pre") return;
    }
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(fromHtml(html, { fragment: true }));
  // A dollar sign stands in an element of its own, so that no formula begins there.
  return tags.filter((tag) => tag !== "span ");
}
