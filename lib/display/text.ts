import {
  type Block,
  type ErrorBlock,
  type FieldsBlock,
  type FoldBlock,
  type HeadersBlock,
  type RedirectBlock,
  type RequestBlock,
  type StatusBlock,
  type TextBlock,
  withoutFolds,
} from "./block.ts";
import { cellText, nameText } from "./cell.ts";
import {
  type Form,
  factsOfStatus,
  fieldsRemark,
  headersTitle,
  type Paint,
  PLAIN_PAINT,
  paintCell,
  showBlock,
  writtenRemark,
} from "./form.ts";
import { type HighlightToken, highlight, type TokenKind } from "./highlight.ts";
import { layTable } from "./text-table.ts";
import { toVisibleLine, toVisibleText } from "./visible.ts";
import { cutToWidth, padToWidth, textWidth, wrapText } from "./width.ts";

/** Options of {@link toText}. */
export interface TextOptions {
  /** The width in columns, 100 by default. */
  readonly width?: number;
  /** Whether prose is broken between words to fit the width: messages, notes, plain text. */
  readonly wrap?: boolean;
  /** Colours by role; none by default. */
  readonly paint?: Paint;
  /** Whether headers are listed, or only named in one line; listed by default. */
  readonly headers?: "listed" | "folded";
  /** Returns what shows the rows or columns that a table leaves out, in place of a call. */
  readonly more?: ((hidden: "rows" | "columns") => string | undefined) | undefined;
}

interface Layout {
  readonly width: number;
  readonly wrap: boolean;
  readonly paint: Paint;
  readonly headers: "listed" | "folded";
  readonly more: TextOptions["more"];
}

const VIEWS: Form<readonly string[], [layout: Layout]> = {
  request: viewRequest,
  redirect: viewRedirect,
  status: viewStatus,
  headers: viewHeaders,
  table: layTable,
  fields: (block, layout) => viewFields(block, layout),
  text: viewText,
  image: ({ description }, { paint }) => [paint.fact(`[image: ${toVisibleLine(description)}]`)],
  media: ({ description }, { paint }) => [paint.fact(`[file: ${toVisibleLine(description)}]`)],
  frame: ({ description }, { paint }) => [paint.fact(`[${toVisibleLine(description)}]`)],
  fold: viewFold,
  error: viewError,
  note: ({ level, text }, layout) => [
    layout.paint.note(wrapped(LEVELS[level] + toVisibleLine(text), layout), level),
  ],
};

const LEVELS = { info: "", warning: "Warning: ", error: "Error: " };

/** Renders blocks as plain text in columns, for consoles, diffs and screen readers. */
export function toText(blocks: readonly Block[], options: TextOptions = {}): string {
  const layout: Layout = {
    width: Math.max(20, options.width ?? 100),
    wrap: options.wrap ?? false,
    paint: options.paint ?? PLAIN_PAINT,
    headers: options.headers ?? "listed",
    more: options.more,
  };
  const lines: string[] = [];
  let before: Block["kind"] | undefined;
  for (const block of withoutFolds(blocks)) {
    if (before !== undefined && isApart(before, block.kind, layout)) lines.push("");
    for (const line of showBlock(VIEWS, block, layout)) lines.push(line);
    before = block.kind;
  }
  return lines.join("\n");
}

/** Whether a blank line separates two blocks. */
function isApart(before: Block["kind"], kind: Block["kind"], { headers }: Layout): boolean {
  if (kind === "headers" || kind === "fold") return headers === "listed";
  if (before === "headers" || before === "fold" || kind === "request") return true;
  return IS_BODY[kind] && before !== "error" && before !== "note";
}

const IS_BODY: { readonly [Kind in Block["kind"]]: boolean } = {
  request: false,
  redirect: false,
  status: false,
  headers: false,
  table: true,
  fields: true,
  text: true,
  image: true,
  media: true,
  frame: true,
  fold: false,
  error: false,
  note: false,
};

function statusOf(
  { status, statusText, statusClass }: StatusBlock | RedirectBlock,
  paint: Paint,
): string {
  const words = statusText === "" ? String(status) : `${status} ${toVisibleLine(statusText)}`;
  return paint.status(`${words} · ${toVisibleLine(statusClass)}`, statusClass);
}

function viewRequest(block: RequestBlock, { paint }: Layout): readonly string[] {
  return [requestLine(block, paint), ...writtenLine(block, paint)];
}

type RequestLine = StatusBlock["request"];

function requestLine({ method, url }: RequestLine, paint: Paint): string {
  return `${paint.method(toVisibleLine(method))} ${paint.url(toVisibleLine(url))}`;
}

function writtenLine({ written }: RequestLine, paint: Paint): readonly string[] {
  return written === undefined ? [] : [paint.fact(toVisibleLine(writtenRemark(written)))];
}

/** Breaks a text between words where the layout asks for it. */
function wrapped(text: string, { wrap, width }: Layout): string {
  return wrap ? wrapText(text, width) : text;
}

function viewText({ text, language, isDrawing }: TextBlock, layout: Layout): readonly string[] {
  const { paint } = layout;
  const visible = toVisibleText(text).replace(/\n$/, "");
  const isProse = language === undefined && isDrawing !== true;
  const shown = isProse ? wrapped(visible, layout) : visible;
  if (paint === PLAIN_PAINT) return [shown];
  const colorize = ({ kind, text: part }: HighlightToken): string =>
    kind === undefined ? part : byLine(part, (line) => ROLES[kind](paint, line));
  return [highlight(shown, language).map(colorize).join("")];
}

function byLine(text: string, change: (line: string) => string): string {
  const lines = text.split("\n");
  return lines.map((line) => (line === "" ? "" : change(line))).join("\n");
}

const ROLES: { readonly [Kind in TokenKind]: (paint: Paint, text: string) => string } = {
  name: (paint, text) => paint.key(text),
  attribute: (paint, text) => paint.key(text),
  string: (paint, text) => paint.string(text),
  number: (paint, text) => paint.number(text),
  literal: (paint, text) => paint.literal(text),
  comment: (paint, text) => paint.fact(text),
};

/** Folded blocks are named in one line, or listed, like headers. */
function viewFold({ title, blocks }: FoldBlock, layout: Layout): readonly string[] {
  const heading = layout.paint.fact(toVisibleLine(title));
  if (layout.headers === "folded") return [heading];
  const inner = { ...layout, width: Math.max(20, layout.width - 2) };
  return [
    heading,
    ...toText(blocks, inner)
      .split("\n")
      .map((line) => `  ${line}`.trimEnd()),
  ];
}

function viewRedirect(block: RedirectBlock, { paint }: Layout): readonly string[] {
  const location = paint.url(toVisibleLine(block.location));
  return [`${statusOf(block, paint)}${paint.fact(" → ")}${location}`];
}

function viewStatus(block: StatusBlock, layout: Layout): readonly string[] {
  const { request } = block;
  const head = (paint: Paint): string =>
    statusOf(block, paint) + paint.fact(" · ") + requestLine(request, paint);
  const { paint } = layout;
  const facts = paint.fact(factsAfter(textWidth(head(PLAIN_PAINT)), block, layout));
  return [head(paint) + facts, ...writtenLine(request, paint)];
}

/** The facts of a status, which begin at a column. Lines break only between facts. */
function factsAfter(columns: number, block: StatusBlock, { wrap, width }: Layout): string {
  // The terminal breaks a longer URL itself.
  let column = columns % width;
  let written = "";
  for (const fact of factsOfStatus(block).map(toVisibleLine)) {
    const isBroken = wrap && column + textWidth(` · ${fact}`) > width;
    written += isBroken ? `\n${fact}` : ` · ${fact}`;
    column = isBroken ? textWidth(fact) : column + textWidth(` · ${fact}`);
  }
  return written;
}

function viewHeaders(block: HeadersBlock, { width, paint, headers }: Layout): readonly string[] {
  const title = toVisibleLine(headersTitle(block));
  if (headers === "folded" && block.open !== true) {
    // That there are no headers is not worth a line.
    if (block.total === 0) return [];
    const names = block.headers.map(([name]) => toVisibleLine(name)).join(", ");
    return [paint.fact(cutToWidth(names === "" ? title : `${title}: ${names}`, width))];
  }
  const lines = block.headers.map(([name, value]) => {
    const shown = cutToWidth(toVisibleLine(name), width - 8);
    return `  ${paint.key(shown)}: ${cutToWidth(toVisibleLine(value), Math.max(8, width - textWidth(shown) - 4))}`;
  });
  return [paint.fact(title), ...lines];
}

function viewFields(block: FieldsBlock, layout: Layout): readonly string[] {
  const { width, paint } = layout;
  const keys = block.fields.map(({ key }) => cutToWidth(nameText(key), Math.floor(width / 3)));
  const flat = keys.filter((_, index) => block.fields[index]?.nested === undefined);
  const column = Math.min(
    28,
    flat.reduce((widest, key) => Math.max(widest, textWidth(key)), 0),
  );
  const lines = block.fields.flatMap(({ value, nested }, index) => {
    const key = keys[index] ?? "";
    if (nested === undefined) {
      const room = Math.max(8, width - Math.max(column, textWidth(key)) - 2);
      const shown = paintCell(paint, value, cutToWidth(cellText(value), room));
      return [`${paint.key(padToWidth(key, column, "right"))}  ${shown}`.trimEnd()];
    }
    const inner = { ...layout, width: Math.max(12, width - 2) };
    const below =
      nested.kind === "table"
        ? layTable(nested, { ...inner, nested: true })
        : viewFields(nested, inner);
    return [
      `${paint.key(key)} ${paint.fact(`(${toVisibleLine(value.text)})`)}`,
      ...below.map((line) => `  ${line}`),
    ];
  });
  const remark = fieldsRemark(block);
  return remark === undefined ? lines : [...lines, paint.fact(remark)];
}

function viewError({ name, message }: ErrorBlock, layout: Layout): readonly string[] {
  const title = toVisibleLine(name);
  const head = layout.paint.note(title, "error");
  if (message === "") return [head];
  const shown = wrapped(`${title}: ${toVisibleText(message)}`, layout);
  return [head + shown.slice(title.length)];
}
