import type { Element, Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";
import { expect } from "vitest";

/** The elements that the display writes itself, each with the attributes that it gives them. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  div: ["class", "style", "tabindex"],
  h4: ["style"],
  p: ["style", "role"],
  small: [],
  strong: ["style"],
  details: ["name", "style", "open"],
  summary: ["style"],
  table: ["border", "cellpadding", "style"],
  thead: [],
  tbody: [],
  tr: ["title", "style"],
  th: ["scope", "title", "style"],
  td: ["title", "style"],
  wbr: [],
  pre: ["style", "tabindex"],
  b: ["style"],
  i: [],
  span: ["style"],
  img: ["alt", "src", "style"],
  audio: ["controls", "preload", "aria-label", "src"],
  video: ["controls", "preload", "aria-label", "src", "style"],
  a: ["download", "href", "rel", "style", "target"],
  iframe: ["sandbox", "referrerpolicy", "loading", "title", "style", "srcdoc"],
};

// Pictures and sounds come with the page; only a link that saves may hold a document.
const SOURCES: Readonly<Record<string, RegExp>> = {
  img: /^data:image\/[a-z+.-]+;base64,[\w+/=]*$/,
  audio: /^data:audio\/[a-z0-9-]+;base64,[\w+/=]*$/,
  video: /^data:video\/[a-z0-9-]+;base64,[\w+/=]*$/,
  a: /^(?:data:application\/pdf;base64,[\w+/=]*|https?:\/\/[!-~]+)$/,
};

/** Parses HTML as a browser does and fails on whatever the display does not write itself. */
export function expectInert(html: string): void {
  expect(foreignMarkup(html)).toEqual([]);
}

/**
 * What the display does not write itself in HTML, parsed as a browser does. A list, since thousands of
 * documents are judged and an assertion for each attribute of them takes longer than all the rest.
 */
export function foreignMarkup(html: string): readonly string[] {
  const faults: string[] = [];
  visit(fromHtml(html, { fragment: true }), (element) => faults.push(...faultsOf(element)));
  return faults;
}

function faultsOf({ tagName, properties }: Element): readonly string[] {
  const allowed = ELEMENTS[tagName];
  if (allowed === undefined) return [`<${tagName}>`];
  const faults = Object.keys(properties)
    .map((name) => ATTRIBUTES[name] ?? name.toLowerCase())
    .filter((name) => !allowed.includes(name))
    .map((name) => `<${tagName} ${name}>`);
  const source = properties["src"] ?? properties["href"];
  const { sandbox, style, download } = properties;
  if (source !== undefined && !SOURCES[tagName]?.test(String(source))) {
    faults.push(`<${tagName}> with the source "${source}"`);
  }
  if (tagName === "iframe" && (!Array.isArray(sandbox) || sandbox.length > 0)) {
    faults.push(`<iframe> with the sandbox "${sandbox}"`);
  }
  if (tagName === "a" && source !== undefined && download === undefined) {
    const { rel, target } = properties;
    const isSafe = String(rel) === "noopener,noreferrer" && target === "_blank";
    if (!/^https?:/.test(String(source)) || !isSafe) faults.push("<a href> without download");
  }
  if (/url|expression|import|[<>\\@]/i.test(String(style ?? ""))) {
    faults.push(`<${tagName}> with the style "${style}"`);
  }
  return faults;
}

const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: "class",
  ariaLabel: "aria-label",
  cellPadding: "cellpadding",
};

/** Calls for each element of a tree, from the top. */
export function visit(node: Nodes, look: (element: Element) => void): void {
  if (node.type === "comment" || node.type === "doctype") {
    throw new Error(`The display writes no ${node.type}`);
  }
  if (node.type === "element") look(node);
  if ("children" in node) for (const child of node.children) visit(child, look);
}

/** The text that a reader of HTML sees, blanks drawn together. */
export function textOfHtml(html: string): string {
  const texts: string[] = [];
  const collect = (node: Nodes): void => {
    if (node.type === "text") texts.push(node.value);
    if ("children" in node) for (const child of node.children) collect(child);
  };
  collect(fromHtml(html, { fragment: true }));
  return texts.join("").replace(/\s+/g, " ").trim();
}
