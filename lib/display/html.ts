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
  TextBlock,
} from "./block.ts";
import { escapeHtml, escapeHtmlText } from "./escape.ts";
import { type Form, factsOfStatus, headersTitle, showBlock, writtenRemark } from "./form.ts";
import { type HighlightToken, highlight, type TokenKind } from "./highlight.ts";
import { fieldsToHtml, headersToHtml, SUMMARY, small, tableToHtml } from "./html-table.ts";
import { toVisibleLine, toVisibleText } from "./visible.ts";

// The contrast of white on each is at least 4.5 to 1 (WCAG AA).
const CLASS_COLORS: Readonly<Record<StatusBlock["statusClass"], string>> = {
  Informational: "#57606a",
  Successful: "#1a7f37",
  Redirection: "#0b6e8f",
  "Client error": "#9a5b00",
  "Server error": "#c02626",
  Unassigned: "#57606a",
};

const PRE_STYLE = "max-height:32em;overflow:auto;color:inherit;background:transparent;margin:4px 0";

const TAGS: Readonly<Record<TokenKind, readonly [open: string, close: string]>> = {
  name: ['<b style="color:var(--name)">', "</b>"],
  attribute: ["<b>", "</b>"],
  string: ['<span style="color:var(--string)">', "</span>"],
  number: ['<span style="color:var(--number)">', "</span>"],
  literal: ['<span style="color:var(--literal)">', "</span>"],
  comment: ["<i>", "</i>"],
};

// Elements that lead to another resource are renamed to elements without behaviour. The sandbox and the
// policy do not prevent following a link, `rel=preconnect`, or that Chromium connects to the host of a
// frame that it then does not load. A tag can only begin with exactly these characters.
const LEADS_AWAY =
  /<(\/?)(?:(a|area)|(link|base|meta|form|i?frame|frameset|fencedframe|portal|object|embed|script))(?=[\s/>])/gi;

/** What a framed page may load: only the styles, images and fonts that it contains. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";

/**
 * A row of sections. A `details` without a box makes its summary and its content items of the row; the summaries come
 * first, so that the content of the open section stands below all of them. It takes the width of the container.
 */
const ROW =
  '<div style="container-type:inline-size;margin:4px 0"><div style="display:flex;flex-wrap:wrap;gap:0 1.5em">';
const SECTION_SUMMARY =
  '<summary style="display:list-item;cursor:pointer;order:-1;font-size:0.9em">';

const LEVELS = { info: "", warning: "Warning: ", error: "Error: " };

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
  fold: (block) => toSections([block]),
  error: viewError,
  note: viewNote,
};

/** Renders blocks as HTML without scripts, style sheets and external resources, for light and dark pages. */
export function toHtml(blocks: readonly Block[]): string {
  const html = toParts(blocks);
  const colors = html.includes("var(--") ? `;${COLOR_VARIABLES}` : "";
  // The two classes keep MathJax from treating dollar signs as formulas.
  return `<div class="restlab tex2jax_ignore mathjax_ignore" style="color:inherit${colors}">\n${html}\n</div>`;
}

/** Blocks that are folded, or could be, are one row of sections. */
function toParts(blocks: readonly Block[]): string {
  const parts: string[] = [];
  for (let at = 0; at < blocks.length; ) {
    const end = blocks.findIndex((block, index) => index >= at && !isSection(block));
    const sections = blocks.slice(at, end === -1 ? blocks.length : end).filter(isSection);
    if (sections.length > 0) parts.push(toSections(sections));
    else parts.push(showBlock(VIEWS, blocks[at] as Block));
    at += Math.max(1, sections.length);
  }
  return parts.join("\n");
}

type Section = FoldBlock | HeadersBlock;

function isSection(block: Block): block is Section {
  return block.kind === "fold" || (block.kind === "headers" && block.open !== true);
}

/** Browsers close the other sections of the same name when one is opened. */
function toSections(sections: readonly Section[]): string {
  const shown = inOrder(sections).map((section) => {
    const isFold = section.kind === "fold";
    const title = isFold ? section.title : headersTitle(section);
    const content = isFold ? toParts(section.blocks) : headersToHtml(section.headers);
    const open = isFold && section.isOpen === true ? " open" : "";
    return `${open} style="display:contents">${SECTION_SUMMARY}${line(title)}</summary>\n<div style="width:100cqw">\n${content}\n</div></details>`;
  });
  const name = `restlab-${hashOf(shown.join(""))}`;
  return `${ROW}\n${shown.map((rest) => `<details name="${name}"${rest}`).join("\n")}\n</div></div>`;
}

/** The open section comes first, and what is folded in it is a section beside it. */
function inOrder(sections: readonly Section[]): readonly Section[] {
  const isOpen = (section: Section): boolean => section.kind === "fold" && section.isOpen === true;
  const first = sections.flatMap((section): readonly Section[] => {
    if (section.kind !== "fold" || !isOpen(section)) return [];
    const blocks = section.blocks.filter((block) => !isSection(block));
    return [{ ...section, blocks }, ...section.blocks.filter(isSection)];
  });
  return [...first, ...sections.filter((section) => !isOpen(section))];
}

/** The FNV-1a hash of a text: the same output has the same name again, and others have another. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
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

/** Headers that are unfolded from the start. */
function viewHeaders(block: HeadersBlock): string {
  return `<details open style="margin:4px 0">${SUMMARY}${line(headersTitle(block))}</summary>\n${headersToHtml(block.headers)}\n</details>`;
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

function viewError({ name, message }: ErrorBlock): string {
  const text = escapeHtmlText(toVisibleText(message));
  return `<p role="alert" style="margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;border-left:4px solid #c02626;padding-left:8px"><strong>${line(name)}</strong>: ${text}</p>`;
}

function viewNote({ level, text }: NoteBlock): string {
  if (level === "info") return small(text);
  return `<p role="note" style="margin:4px 0;overflow-wrap:anywhere;border-left:4px solid ${level === "error" ? "#c02626" : "#9a5b00"};padding-left:8px"><strong>${LEVELS[level]}</strong>${line(text)}</p>`;
}

/**
 * Writes an HTML page in a frame that runs no scripts, submits no forms and loads nothing from a network.
 */
function frameToHtml({ html, description }: FrameBlock): string {
  const inert = html.replace(
    LEADS_AWAY,
    (_, slash: string, anchor: string | undefined, other: string | undefined) =>
      `<${slash}${anchor === undefined ? `x-${other}` : "u"}`,
  );
  // The policy comes first; the doctype of the page itself is then ignored.
  const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${inert}`;
  return `<iframe sandbox="" referrerpolicy="no-referrer" loading="lazy" title="${attribute(description)}" style="width:100%;height:24em;border:1px solid #8888;box-sizing:border-box;background:#fff;color-scheme:light" srcdoc="${escapeHtml(page)}"></iframe>`;
}

/**
 * The colours of source text and of cells. Each is mixed with the colour of the surrounding text, so that it is legible on
 * light and dark pages. Viewers that remove styles keep bold and italics.
 */
export const TOKEN_COLORS: Readonly<Record<"name" | "string" | "number" | "literal", string>> = {
  name: "#0a5fd0",
  string: "#0a7d33",
  number: "#a8328c",
  literal: "#b35900",
};

/** The share of the surrounding text's colour in that of a token, in percent. */
export const TOKEN_MIX = 55;

/** The declarations of the colours, as `--string` and the like. */
const COLOR_VARIABLES: string = Object.entries(TOKEN_COLORS)
  .map(([kind, color]) => `--${kind}:color-mix(in srgb,currentColor ${TOKEN_MIX}%,${color})`)
  .join(";");

/** Writes preformatted text, highlighted if its language is known. */
function textToHtml({ text, language, isDrawing = false }: TextBlock): string {
  const tokens = highlight(toVisibleText(text), language);
  // Browsers drop a line break after the opening tag.
  const first = text.startsWith("\n") || text.startsWith("\r\n") ? "\n" : "";
  const wrap = isDrawing
    ? "white-space:pre;contain:inline-size"
    : "white-space:pre-wrap;overflow-wrap:anywhere";
  const style = `${wrap};${PRE_STYLE}`;
  // Scrollable text has to be reachable by keyboard.
  const focus = isDrawing || text.split("\n", 30).length === 30 ? ' tabindex="0"' : "";
  return `<pre${focus} style="${style}">${first}${tokens.map(toHtmlToken).join("")}</pre>`;
}

function toHtmlToken({ kind, text }: HighlightToken): string {
  const shown = escapeHtml(text);
  if (kind === undefined) return shown;
  const [open, close] = TAGS[kind];
  return open + shown + close;
}
