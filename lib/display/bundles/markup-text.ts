import type { MarkupNode, MarkupParser } from "./own-markup.ts";

/** Elements whose text is not for a reader. */
const HIDDEN = /^(?:script|style|template|noscript|iframe|object|embed|head|math|select)$/;
/** Elements that begin and end a line. */
const LINES =
  /^(?:address|article|aside|blockquote|br|caption|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|p|pre|section|summary|details|table|tr|ul)$/;
/** Elements that a text can only name. */
const PICTURES = /^(?:img|svg|canvas)$/;
const LABEL = /^(?:aria-label|alt|title)$/;
const CELLS = /^(?:td|th)$/;

/** The text of markup as a reader sees it, roughly: rows and paragraphs are lines, scripts are left out. */
export function markupText(source: string, parser: MarkupParser): string {
  const parts: string[] = [];
  const visit = (node: MarkupNode, isPreformatted: boolean): void => {
    const name = node.nodeName.toLowerCase();
    if (HIDDEN.test(name)) return;
    if (PICTURES.test(name)) {
      const label = node.attrs?.find((one) => LABEL.test(one.name))?.value;
      if (label !== undefined && label !== "") parts.push(`[${label}]`);
      return;
    }
    if (node.value !== undefined && name === "#text") {
      parts.push(isPreformatted ? node.value : node.value.replace(/\s+/g, " "));
    }
    const around = LINES.test(name) ? "\n" : CELLS.test(name) ? "  " : "";
    parts.push(around);
    for (const child of node.childNodes ?? []) visit(child, isPreformatted || name === "pre");
    parts.push(around);
  };
  visit(parser.parseFragment(source, { sourceCodeLocationInfo: true }), false);
  const lines = parts.join("").split("\n");
  return lines
    .map((line) => line.trim().replace(/ {3,}/g, "  "))
    .filter((line) => line !== "")
    .join("\n");
}

/** The name that a drawing gives itself, if it has one. */
export function drawingTitle(source: string): string | undefined {
  return /<title[^>]*>([^<]{1,200})<\/title>/i.exec(source)?.[1]?.trim();
}
