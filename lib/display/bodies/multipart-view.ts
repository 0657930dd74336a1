import type { Block, Cell, Lens } from "../blocks/mod.ts";
import { cutText, formatBytes } from "../blocks/mod.ts";
import type { Body } from "./body.ts";
import { viewText } from "./text-view.ts";

const MOST_TEXT = 2_000_000;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;
const COLUMNS = ["name", "file", "type", "size", "content"];

/** Displays the parts of a multipart body as a table: names, files, types and the beginning of each. */
export function viewMultipart(body: Body, lens: Lens): readonly Block[] {
  const found = BOUNDARY.exec(body.contentType);
  const boundary = found?.[1] ?? found?.[2];
  const text = body.text();
  if (boundary === undefined || text.length > MOST_TEXT) return viewText(text, undefined, lens);
  // RFC 2046, 5.1.1: text before the first boundary and after the last one is ignored.
  const pieces = `\n${text}`.split(`\n--${boundary}`).slice(1);
  const parts = pieces.filter((piece) => !piece.startsWith("--")).map(parsePart);
  const rows = parts.slice(0, lens.limits.rows).map((part) => toRow(part, lens));
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

function toRow({ headers, content }: Part, { limits, hide }: Lens): readonly Cell[] {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? "";
  const parameter = (name: string): string =>
    new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.){0,1000})"`, "i").exec(disposition)?.[1] ?? "";
  const type = /^content-type:\s*([^;\r\n]*)/im.exec(headers)?.[1] ?? "";
  const size = formatBytes(new TextEncoder().encode(content).length);
  const isBinary = content.includes("\ufffd") || content.includes("\0");
  return [parameter("name"), parameter("filename"), type, size, isBinary ? "binary" : content].map(
    (text) => ({ text: cutText(hide(text), limits.cell), numeric: false }),
  );
}
