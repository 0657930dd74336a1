import type {
  Block,
  ErrorBlock,
  FoldBlock,
  FrameBlock,
  HeadersBlock,
  ImageBlock,
  MediaBlock,
  NoteBlock,
  RedirectBlock,
  RequestBlock,
  StatusBlock,
} from "../blocks/mod.ts";
import { toVisibleLine, toVisibleText } from "../text/mod.ts";
import { escapeHtml, escapeHtmlText } from "./escape.ts";
import { type Form, showBlock } from "./form.ts";
import { frameToHtml } from "./html-frame.ts";
import { fieldsToHtml, headersToHtml, SUMMARY, small, tableToHtml } from "./html-table.ts";
import { COLOR_VARIABLES, textToHtml } from "./html-text.ts";
import { factsOfStatus, headersTitle, writtenRemark } from "./remarks.ts";

const VIEWS: Form<string> = {
  request: viewRequest,
  redirect: viewRedirect,
  status: viewStatus,
  headers: viewHeaders,
  table: tableToHtml,
  fields: fieldsToHtml,
  text: textToHtml,
  image: viewImage,
  media: viewMedia,
  frame: viewFrame,
  fold: viewFold,
  error: viewError,
  note: viewNote,
};

// The contrast of white on each is at least 4.5 to 1 (WCAG AA).
const CLASS_COLORS: Readonly<Record<StatusBlock["statusClass"], string>> = {
  Informational: "#57606a",
  Successful: "#1a7f37",
  Redirection: "#0b6e8f",
  "Client error": "#9a5b00",
  "Server error": "#c02626",
  Unassigned: "#57606a",
};

/** Renders blocks as HTML without scripts, style sheets and external resources, for light and dark pages. */
export function toHtml(blocks: readonly Block[]): string {
  const html = toParts(blocks);
  const colors = html.includes("var(--") ? `;${COLOR_VARIABLES}` : "";
  // The two classes keep MathJax from treating dollar signs as formulas.
  return `<div class="restlab tex2jax_ignore mathjax_ignore" style="color:inherit${colors}">\n${html}\n</div>`;
}

const ROW = '<div style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:0 1.5em">';

/** What is folded shares a row with the folds beside it. */
function toParts(blocks: readonly Block[]): string {
  const parts: string[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as Block;
    const shown = showBlock(VIEWS, block);
    if (!isFolded(block)) parts.push(shown);
    else {
      if (!isFolded(blocks[at - 1])) parts.push(ROW);
      parts.push(shown);
      if (!isFolded(blocks[at + 1])) parts.push("</div>");
    }
  }
  return parts.join("\n");
}

function isFolded(block: Block | undefined): boolean {
  return block?.kind === "fold" || (block?.kind === "headers" && block.open !== true);
}

function line(text: string): string {
  return escapeHtmlText(toVisibleLine(text));
}

function attribute(text: string): string {
  return escapeHtml(toVisibleLine(text));
}

function viewRequest({ method, url, written }: RequestBlock): string {
  return heading(`<strong>${line(method)}</strong> ${line(url)}`, written);
}

function heading(content: string, written: string | undefined): string {
  const remark = written === undefined ? "" : `\n${small(writtenRemark(written))}`;
  // JupyterLab enlarges headings, and a status would take a second line.
  return `<h4 style="color:inherit;font-size:1em;font-weight:normal;line-height:1.6;overflow-wrap:anywhere;margin:4px 0">${content}</h4>${remark}`;
}

function badge(
  status: number,
  statusText: string,
  statusClass: StatusBlock["statusClass"],
): string {
  const color = CLASS_COLORS[statusClass] ?? CLASS_COLORS.Unassigned;
  const words = statusText === "" ? String(status) : `${status} ${line(statusText)}`;
  return `<strong style="background-color:${color};color:#fff;padding:1px 6px;border-radius:3px">${words}</strong> · ${line(statusClass)}`;
}

function viewRedirect(block: RedirectBlock): string {
  return `<p style="margin:4px 0;overflow-wrap:anywhere">${badge(block.status, block.statusText, block.statusClass)} · ${line(block.method)} ${line(block.url)} → ${line(block.location)}</p>`;
}

function viewStatus(block: StatusBlock): string {
  const { status, statusText, statusClass, request } = block;
  const { method, url, written } = request;
  const parts = [
    badge(status, statusText, statusClass),
    `<strong>${line(method)}</strong> ${line(url)}`,
    ...factsOfStatus(block).map(line),
  ];
  return heading(parts.join(" · "), written);
}

function viewHeaders(block: HeadersBlock): string {
  return `<details${block.open === true ? " open" : ""} style="margin:4px 0">${SUMMARY}${line(headersTitle(block))}</summary>\n${headersToHtml(block.headers)}\n</details>`;
}

// An SVG in an image element runs no scripts and loads nothing.
function viewImage({ mediaType, base64, description }: ImageBlock): string {
  return `<img alt="${attribute(description)}" src="data:${attribute(mediaType)};base64,${base64}" style="max-width:100%;max-height:480px">\n${small(description)}`;
}

// A player does not start automatically. A document is not opened: a link saves it as a file.
function viewMedia({ as, mediaType, base64, description, fileName }: MediaBlock): string {
  const source = `data:${attribute(mediaType)};base64,${base64}`;
  const label = attribute(description);
  if (as === "download") {
    return `<p style="margin:4px 0">${line(description)} · <a download="${attribute(fileName)}" href="${source}" style="color:inherit;text-decoration:underline">Save as ${line(fileName)}</a></p>`;
  }
  const size = as === "video" ? ' style="max-width:100%;max-height:480px"' : "";
  return `<${as} controls preload="metadata" aria-label="${label}" src="${source}"${size}></${as}>\n${small(description)}`;
}

function viewFrame(block: FrameBlock): string {
  return `${frameToHtml(block)}\n${small(block.description)}`;
}

function viewFold({ title, blocks }: FoldBlock): string {
  return `<details style="margin:4px 0">${SUMMARY}${line(title)}</summary>\n${toParts(blocks)}\n</details>`;
}

function viewError({ name, message }: ErrorBlock): string {
  const text = escapeHtmlText(toVisibleText(message));
  return `<p role="alert" style="margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;border-left:4px solid #c02626;padding-left:8px"><strong>${line(name)}</strong>: ${text}</p>`;
}

const LEVELS = { info: "", warning: "Warning: ", error: "Error: " };

function viewNote({ level, text }: NoteBlock): string {
  if (level === "info") return small(text);
  return `<p role="note" style="margin:4px 0;overflow-wrap:anywhere;border-left:4px solid ${level === "error" ? "#c02626" : "#9a5b00"};padding-left:8px"><strong>${LEVELS[level]}</strong>${line(text)}</p>`;
}
