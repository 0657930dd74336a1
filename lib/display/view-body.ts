import { JSON_LINES } from "../exchange/mod.ts";
import { JSON_TYPE } from "../request/mod.ts";
import type { Block, Cell } from "./block.ts";
import { shortCell } from "./cell.ts";
import { cutText } from "./compact.ts";
import { viewJsonBody, viewJsonLines } from "./json-view.ts";
import { toHexDump, viewImage, viewMedia } from "./media-view.ts";
import { separatorOf, viewSeparated } from "./separated.ts";
import { viewEventStream } from "./stream-view.ts";
import { type Body, beginningOf, shownText, viewText } from "./text-view.ts";
import { formatBytes } from "./units.ts";
import { type ViewContext, viewOrNote } from "./view-context.ts";

type BodyView = (body: Body, context: ViewContext) => readonly Block[];

const MAX_FORM = 1_000_000;

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;

const MAX_MULTIPART = 2_000_000;

const COLUMNS = ["name", "file", "type", "size", "content"];

/** Views by media type; the first match counts. */
const VIEWS: readonly (readonly [mediaType: RegExp, view: BodyView])[] = [
  [/^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/, viewImage],
  [/^audio\/(?:mpeg|mp3|ogg|wav|x-wav|wave|webm|mp4|aac|flac|x-flac)$/, viewMedia("audio")],
  [/^video\/(?:mp4|webm|ogg)$/, viewMedia("video")],
  [/^application\/pdf$/, viewMedia("download")],
  [JSON_LINES, viewJsonLines],
  [/^text\/event-stream$/, viewEventStream],
  [JSON_TYPE, viewJsonBody],
  [/^text\/csv$/, (body, context) => viewSeparated(body, separatorOf(body.text()), context)],
  [/^text\/tab-separated-values$/, (body, context) => viewSeparated(body, "\t", context)],
  [/^application\/x-www-form-urlencoded$/, viewForm],
  [/^multipart\//, viewMultipart],
  [/^text\/html$|^application\/xhtml\+xml$/, textIn("html")],
  [/[/+]xml(?:-dtd)?$/, textIn("xml")],
  [/[/+]ya?ml$|^(?:text|application)\/x-yaml$/, textIn("yaml")],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/, textIn("javascript")],
  [/^text\/css$/, textIn("css")],
  [/^text\/(?:x-)?markdown$/, textIn("markdown")],
  [/^text\//, textIn(undefined)],
  [/^application\/(?:graphql|sql|toml|http|pem-.*)$/, textIn(undefined)],
  [/^$/, viewUnnamed],
];

/**
 * Displays a body that is not empty, by its media type; as text if that view fails.
 *
 * @param isCutNoted Whether a note says that the body is incomplete.
 */
export function viewBody(
  body: Body,
  context: ViewContext,
  isCutNoted: boolean = body.cut,
): readonly Block[] {
  const view = VIEWS.find(([mediaType]) => mediaType.test(body.mediaType))?.[1] ?? viewBinary;
  const blocks = viewOrNote(
    body.mediaType === "" ? "the body" : context.redactor.text(body.mediaType),
    context,
    () => view(body, context),
    () => viewUnnamed(beginningOf(body), context),
  );
  return isCutNoted ? [...blocks, cutNote(body)] : blocks;
}

function cutNote({ content }: Body): Block {
  const text = `The body is incomplete: only its first ${formatBytes(content.length)} are available`;
  return { kind: "note", level: "warning", text };
}

function textIn(language: string | undefined): BodyView {
  return (body, context) => viewText(shownText(body, context), language, context);
}

function viewUnnamed(body: Body, context: ViewContext): readonly Block[] {
  const head = body.content.head(1024);
  const binary = head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return binary
    ? viewBinary(body, context)
    : viewText(shownText(body, context), undefined, context);
}

/** Displays a body as a hex dump. */
export function viewBinary({ content, mediaType }: Body, context: ViewContext): readonly Block[] {
  const type = mediaType === "" ? "unknown media type" : context.redactor.text(mediaType);
  const shown = content.head(context.limits.hex);
  // A secret would be readable beside the hex digits.
  const latin = String.fromCharCode(...shown);
  const dump: readonly Block[] =
    context.redactor.text(latin) === latin
      ? [{ kind: "text", text: toHexDump(shown), isDrawing: true }]
      : [];
  const more =
    content.length > shown.length ? `; its first ${formatBytes(shown.length)} are shown` : "";
  const text = `Binary body: ${type}, ${formatBytes(content.length)}${more}`;
  return [{ kind: "note", level: "info", text }, ...dump];
}

/** Displays the decoded fields of an HTML form (`application/x-www-form-urlencoded`). */
function viewForm(body: Body, context: ViewContext): readonly Block[] {
  const { limits, redactor } = context;
  const text = body.text();
  const pairs = [...new URLSearchParams(text.slice(0, MAX_FORM).trim())];
  if (text.length > MAX_FORM || pairs.length === 0) {
    return viewText(shownText(body, context), undefined, context);
  }
  const fields = pairs.slice(0, limits.fields).map(([key, value]) => ({
    key: cutText(redactor.key(key), limits.cell),
    value: shortCell("text", redactor.at(key).text(value), limits.cell * 4),
  }));
  return [{ kind: "fields", of: "object", fields, total: pairs.length }];
}

/** Displays the parts of a multipart body as a table: names, files, types and the beginning of each. */
function viewMultipart(body: Body, context: ViewContext): readonly Block[] {
  const found = BOUNDARY.exec(body.contentType);
  const boundary = found?.[1] ?? found?.[2];
  const text = body.text();
  if (boundary === undefined || text.length > MAX_MULTIPART) {
    return viewText(shownText(body, context), undefined, context);
  }
  // Between the first boundary and the one that ends the body; what lies outside means nothing.
  const pieces = `\n${text}`.split(`\n--${boundary}`).slice(1);
  const parts = pieces.filter((piece) => !piece.startsWith("--")).map(parsePart);
  const shown = parts.slice(0, context.limits.rows).map(toFields);
  const rows = shown.map((fields) => toRow(fields, context));
  const total = parts.length;
  return [{ kind: "table", columns: COLUMNS, rows, total, totalColumns: COLUMNS.length }];
}

interface Part {
  readonly headers: string;
  readonly content: string;
}

function parsePart(piece: string): Part {
  const lines = piece.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, "");
  const end = /\r?\n\r?\n/.exec(lines);
  if (end === null) return { headers: lines, content: "" };
  return { headers: lines.slice(0, end.index), content: lines.slice(end.index + end[0].length) };
}

function toFields({ headers, content }: Part): readonly string[] {
  const type = /^content-type:\s*([^;\r\n]*)/im.exec(headers)?.[1] ?? "";
  const size = formatBytes(new TextEncoder().encode(content).length);
  const isBinary = content.includes("\ufffd") || content.includes("\0");
  const file = parameterOf(headers, "filename");
  return [parameterOf(headers, "name"), file, type, size, isBinary ? "binary" : content];
}

function toRow(fields: readonly string[], { limits, redactor }: ViewContext): readonly Cell[] {
  const [name = ""] = fields;
  return fields.map((text, column) => {
    const shown =
      COLUMNS[column] === "content" ? redactor.at(name).text(text) : redactor.text(text);
    return shortCell("text", shown, limits.cell);
  });
}

function parameterOf(headers: string, name: string): string {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? "";
  const pattern = new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.){0,1000})"`, "i");
  return pattern.exec(disposition)?.[1] ?? "";
}
