import type {
  Block,
  Cell,
  ErrorBlock,
  FieldsBlock,
  FoldBlock,
  FrameBlock,
  HeadersBlock,
  ImageBlock,
  MediaBlock,
  NoteBlock,
  RedirectBlock,
  RequestBlock,
  StatusBlock,
  TableBlock,
} from "../blocks/mod.ts";
import { toVisibleLine, toVisibleText } from "../text/mod.ts";
import { escapeHtml, escapeHtmlText } from "./escape.ts";
import { type Form, showBlock } from "./form.ts";
import { frameToHtml } from "./html-frame.ts";
import { textToHtml } from "./html-text.ts";
import {
  fieldsRemark,
  headersTitle,
  nestedTableRemark,
  tableRemark,
  writtenRemark,
} from "./remarks.ts";

const VIEWS: Form<string> = {
  request: viewRequest,
  redirect: viewRedirect,
  status: viewStatus,
  headers: viewHeaders,
  table: viewTable,
  fields: viewFields,
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

// Classic Notebook aligns every cell to the right, so each cell needs a style. Border and padding are
// attributes of the table, which need no bytes for each cell.
const TABLE =
  '<table border="1" cellpadding="4" style="border-collapse:collapse;border-color:#8888;color:inherit;margin:4px 0">';
// Classic Notebook removes the triangle that shows that something is folded.
const SUMMARY = '<summary style="display:list-item;cursor:pointer">';
const LEFT = ' style="text-align:left"';
// A date would wrap at its hyphens.
const DATE = /^\d{4}-\d\d-\d\d\S{0,20}$/;
const UNBROKEN = ' style="text-align:left;white-space:nowrap"';
const RIGHT = ' style="text-align:right;font-variant-numeric:tabular-nums"';

/** Renders blocks as HTML without scripts, style sheets and external resources, for light and dark pages. */
export function toHtml(blocks: readonly Block[]): string {
  // The two classes keep MathJax from treating dollar signs as formulas.
  return `<div class="restlab tex2jax_ignore mathjax_ignore" style="color:inherit;overflow-x:auto">\n${toParts(blocks)}\n</div>`;
}

function toParts(blocks: readonly Block[]): string {
  return blocks.map((block) => showBlock(VIEWS, block)).join("\n");
}

function line(text: string): string {
  return escapeHtmlText(toVisibleLine(text));
}

function attribute(text: string): string {
  return escapeHtml(toVisibleLine(text));
}

function titled(path: string | undefined): string {
  return path === undefined ? "" : ` title="${attribute(path)}"`;
}

function viewRequest({ method, url, written }: RequestBlock): string {
  const heading = `<h4 style="color:inherit;font-weight:normal;overflow-wrap:anywhere;margin:4px 0"><strong>${line(method)}</strong> ${line(url)}</h4>`;
  return written === undefined ? heading : `${heading}\n${small(writtenRemark(written))}`;
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
  const facts = block.facts.map((fact) => ` · ${line(fact)}`).join("");
  return `<p style="margin:4px 0">${badge(block.status, block.statusText, block.statusClass)}${facts}</p>`;
}

function viewHeaders(block: HeadersBlock): string {
  const rows = block.headers.map(
    ([name, value]) =>
      `<tr><th scope="row"${LEFT}>${line(name)}</th><td style="text-align:left;overflow-wrap:anywhere">${line(value)}</td></tr>`,
  );
  return `<details${block.open === true ? " open" : ""} style="margin:4px 0">${SUMMARY}${line(headersTitle(block))}</summary>\n${TABLE}\n${rows.join("\n")}\n</table>\n</details>`;
}

function viewTable(block: TableBlock): string {
  return layTable(block, tableRemark(block));
}

function layTable(block: TableBlock, remark: string | undefined): string {
  const numeric = block.columns.map((_, index) => block.rows.some((row) => row[index]?.numeric));
  const head = block.columns.map(
    (column, index) =>
      `<th scope="col"${titled(block.columnPaths?.[index])}${numeric[index] ? RIGHT : LEFT}>${line(column)}</th>`,
  );
  const rows = block.rows.map(
    (row, index) => `<tr${titled(block.rowPaths?.[index])}>${row.map(viewCell).join("")}</tr>`,
  );
  return `${TABLE}\n<thead><tr>${head.join("")}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>${remark === undefined ? "" : `\n${small(remark)}`}`;
}

function viewCell({ numeric, text }: Cell): string {
  return `<td${numeric ? RIGHT : DATE.test(text) ? UNBROKEN : LEFT}>${line(text)}</td>`;
}

function viewFields(block: FieldsBlock): string {
  const rows = block.fields.map(({ key, value, path, nested }) => {
    const content = nested === undefined ? line(value.text) : nest(nested, value.text);
    return `<tr><th scope="row"${titled(path)} style="text-align:left;vertical-align:top">${line(key)}</th><td${LEFT}>${content}</td></tr>`;
  });
  const remark = fieldsRemark(block);
  const below = remark === undefined ? "" : `\n${small(remark)}`;
  return `${TABLE}\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>${below}`;
}

function nest(block: FieldsBlock | TableBlock, count: string): string {
  const content =
    block.kind === "table" ? layTable(block, nestedTableRemark(block)) : viewFields(block);
  return `<details open>${SUMMARY}${line(count)}</summary>\n${content}\n</details>`;
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

function small(text: string): string {
  return `<p style="margin:4px 0"><small>${line(text)}</small></p>`;
}
