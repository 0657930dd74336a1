import {
  type Block,
  type ErrorBlock,
  type FieldsBlock,
  type FoldBlock,
  type FrameBlock,
  type HeadersBlock,
  type ImageBlock,
  type MediaBlock,
  type NoteBlock,
  type RedirectBlock,
  type RequestBlock,
  type StatusBlock,
  type TableBlock,
  type TextBlock,
  withoutFolds,
} from "./block.ts";
import { cellText, nameText } from "./cell.ts";
import { escapeMarkdown, escapeMarkdownLine, fence, toCode } from "./escape.ts";
import {
  type Form,
  factsOfStatus,
  fieldsRemark,
  headersTitle,
  showBlock,
  tableRemark,
} from "./form.ts";
import { toVisibleLine } from "./visible.ts";

const VIEWS: Form<string> = {
  request: viewRequest,
  redirect: viewRedirect,
  status: viewStatus,
  headers: viewHeaders,
  table: viewTable,
  fields: viewFields,
  text: viewText,
  image: viewImage,
  media: viewMedia,
  frame: viewFrame,
  fold: viewFold,
  error: viewError,
  note: viewNote,
};

/** Renders blocks as Markdown (CommonMark with tables as in GFM) that is readable as plain text. */
export function toMarkdown(blocks: readonly Block[]): string {
  return withoutFolds(blocks)
    .map((block) => showBlock(VIEWS, block))
    .join("\n\n");
}

/**
 * Writes plain words in bold. Code is not bold: nbconvert looks for the end of bold before it looks for code,
 * and stars in the code would end both.
 */
function strong(text: string): string {
  const shown = escapeMarkdown(text);
  return shown === "" || /^(?:`|<code>)/.test(shown) ? shown : `**${shown.trim()}**`;
}

function viewRequest(block: RequestBlock): string {
  return requestLine(block) + writtenRemark(block);
}

type RequestLine = StatusBlock["request"];

function requestLine({ method, url }: RequestLine): string {
  return `${strong(method)} ${toCode(url)}`;
}

function writtenRemark({ written }: RequestLine): string {
  return written === undefined ? "" : `\n\nWritten as ${toCode(written)}`;
}

function viewRedirect(block: RedirectBlock): string {
  const from = `${escapeMarkdown(block.method)} ${toCode(block.url)}`;
  return `${statusOf(block)} · ${from} → ${toCode(block.location)}`;
}

function viewStatus(block: StatusBlock): string {
  const { request } = block;
  const facts = factsOfStatus(block).map(escapeMarkdown);
  const line = [statusOf(block), requestLine(request), ...facts].join(" · ");
  return line + writtenRemark(request);
}

function statusOf({ status, statusText, statusClass }: StatusBlock | RedirectBlock): string {
  const words = statusText === "" ? String(status) : `${status} ${statusText}`;
  return `${strong(words)} · ${escapeMarkdown(statusClass)}`;
}

function viewHeaders(block: HeadersBlock): string {
  const lines = block.headers.map(
    ([name, value]) => `${toVisibleLine(name)}: ${toVisibleLine(value)}`,
  );
  return `${escapeMarkdown(headersTitle(block))}\n\n${fence(lines.join("\n"), "http")}`;
}

function viewTable(block: TableBlock): string {
  const remark = tableRemark(block);
  const table = layTable(block);
  return remark === undefined ? table : `${table}\n\n${escapeMarkdownLine(remark)}`;
}

function layTable(block: TableBlock): string {
  const numeric = block.columns.map((_, index) =>
    block.rows.some((row) => row[index]?.type === "number"),
  );
  const lines = [
    block.columns.map((name) => escapeMarkdown(nameText(name))),
    numeric.map((right) => (right ? "---:" : ":---")),
    ...block.rows.map((row) => row.map((cell) => escapeMarkdown(cellText(cell)))),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function viewFields(block: FieldsBlock): string {
  return listFields(block, "");
}

// Two blanks per level make a nested list; four would make code.
function listFields(block: FieldsBlock, indent: string): string {
  const lines = block.fields.map(({ key, value, nested }) => {
    const name = `${indent}- ${strong(nameText(key))}:`;
    if (nested === undefined) return `${name} ${escapeMarkdown(cellText(value))}`;
    if (nested.kind === "fields") return `${name}\n${listFields(nested, `${indent}  `)}`;
    const table = viewTable(nested).replaceAll("\n", `\n${indent}  `);
    return `${name}\n\n${indent}  ${table}\n`;
  });
  const remark = fieldsRemark(block);
  if (remark !== undefined) lines.push(`${indent}- ${remark}`);
  return lines.join("\n").replace(/[ \t]+$/gm, "");
}

function viewText({ text, language }: TextBlock): string {
  return fence(text, language ?? "text");
}

// The image is in the HTML; a copy here would double the size of the notebook.
function viewImage({ description }: ImageBlock): string {
  return `Image: ${escapeMarkdown(description)}`;
}

function viewMedia({ description }: MediaBlock): string {
  return `File: ${escapeMarkdown(description)}`;
}

function viewFrame({ description }: FrameBlock): string {
  return escapeMarkdownLine(description);
}

function viewFold({ title, blocks }: FoldBlock): string {
  return `${escapeMarkdownLine(title)}\n\n${toMarkdown(blocks)}`;
}

function viewError({ name, message }: ErrorBlock): string {
  return `${strong(name)}\n\n${fence(message, "text")}`;
}

const LEVELS = { warning: "**Warning:** ", error: "**Error:** " };

function viewNote({ level, text }: NoteBlock): string {
  return level === "info" ? escapeMarkdownLine(text) : LEVELS[level] + escapeMarkdown(text);
}
