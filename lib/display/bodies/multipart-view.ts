import {
  type Block,
  type Cell,
  forData,
  formatBytes,
  shortCell,
  type ViewContext,
} from "../blocks/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewText } from "./text-view.ts";

const MAX_TEXT = 2_000_000;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;
const COLUMNS = ["name", "file", "type", "size", "content"];

/** Displays the parts of a multipart body as a table: names, files, types and the beginning of each. */
export function viewMultipart(body: Body, context: ViewContext): readonly Block[] {
  const found = BOUNDARY.exec(body.contentType);
  const boundary = found?.[1] ?? found?.[2];
  const text = body.text();
  if (boundary === undefined || text.length > MAX_TEXT) {
    return viewText(shownText(body, context), undefined, context);
  }
  // Between the first boundary and the one that ends the body; what lies outside means nothing.
  const pieces = `\n${text}`.split(`\n--${boundary}`).slice(1);
  const parts = pieces.filter((piece) => !piece.startsWith("--")).map(parsePart);
  const shown = parts.slice(0, context.limits.rows).map(toFields);
  const inside = forData(context, shown, body.masker(context));
  const rows = shown.map((fields) => toRow(fields, inside));
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
